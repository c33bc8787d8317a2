//! Whom to tell when something happens to a task: kept, listed, removed, and told by [`delivery`].

mod delivery;
mod store;

use std::fmt;

use selvedge_runtime::Error;
use selvedge_session::MessageId;
use serde_json::{Map, Value, json};

use super::{
    desk::{Desk, fault},
    out::Out,
    words::{Fault, Fields, Kind},
};

pub(crate) use delivery::Deliveries;
use store::{Kept, Place};

/// Configurations of one task.
const MOST: usize = 10;

/// Whom to tell, and how. It holds secrets, its address may too, and is never printed.
#[derive(Clone, PartialEq)]
pub(crate) struct Config {
    pub(crate) id: String,
    pub(crate) url: String,
    /// Told with it, so that who hears knows that it is meant.
    pub(crate) token: Option<String>,
    pub(crate) scheme: Option<String>,
    pub(crate) credentials: Option<String>,
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Config({})", self.id)
    }
}

impl Config {
    fn read(value: &Value, place: &str) -> Result<Self, Fault> {
        let fields = Fields::of(value, place)?;
        let authentication = fields.object("authentication")?;
        let scheme = match &authentication {
            Some(it) => Some(it.needed("scheme")?.to_owned()),
            None => None,
        };
        let credentials = match &authentication {
            Some(it) => it.text("credentials")?.map(str::to_owned),
            None => None,
        };
        let one_line =
            |text: &Option<String>| text.as_ref().is_none_or(|it| !it.contains(['\r', '\n', '\0']));
        let token = fields.text("token")?.map(str::to_owned);
        if ![&token, &scheme, &credentials].into_iter().all(one_line) {
            return Err(fields.wrong("authentication", "it has to be one line"));
        }
        let id = fields.text("id")?.map_or_else(|| uuid::Uuid::now_v7().to_string(), str::to_owned);
        Ok(Self { id, url: fields.needed("url")?.to_owned(), token, scheme, credentials })
    }

    /// As its owner sees it.
    fn json(&self, task: MessageId) -> Value {
        let mut config = Map::new();
        config.insert("id".to_owned(), json!(self.id));
        config.insert("taskId".to_owned(), json!(task));
        config.insert("url".to_owned(), json!(self.url));
        if let Some(token) = &self.token {
            config.insert("token".to_owned(), json!(token));
        }
        if let Some(scheme) = &self.scheme {
            let mut authentication = json!({"scheme": scheme});
            if let Some(credentials) = &self.credentials {
                authentication["credentials"] = json!(credentials);
            }
            config.insert("authentication".to_owned(), authentication);
        }
        Value::Object(config)
    }
}

impl Desk {
    /// `CreateTaskPushNotificationConfig`.
    pub(crate) async fn create_push(&self, params: &Value) -> Result<Value, Fault> {
        self.pushes()?;
        let fields = Fields::of(params, "")?;
        let following = self.follow(fields.needed("taskId")?).await?;
        let config = Config::read(params, "")?;
        self.keep_push(following.found().id, following.found().session, config).await
    }

    /// Keeps it, and begins to tell.
    pub(crate) async fn keep_push(
        &self,
        task: MessageId,
        session: selvedge_session::SessionId,
        config: Config,
    ) -> Result<Value, Fault> {
        let out = Out::new(self.agent.push_to_private).map_err(|why| Fault::new(Kind::Internal, why))?;
        out.check(&config.url).map_err(|why| Fault::invalid("url", &why))?;
        let there = store::all(self.runtime(), task).await.map_err(fault)?;
        if there.len() >= MOST && !there.iter().any(|kept| kept.config.id == config.id) {
            return Err(Fault::invalid("", "a task has no more than ten of them"));
        }
        let shown = config.json(task);
        let place = Place { agent: self.agent.key.clone(), owner: self.whose.owner.clone(), task, session };
        let kept = Kept { place, config, told: 0 };
        store::keep(self.runtime(), &kept).await.map_err(fault)?;
        self.gateway.deliveries().begin(&self.gateway, kept);
        Ok(shown)
    }

    /// One that came with a message.
    pub(crate) fn pushed_with(&self, push: &Value) -> Result<Config, Fault> {
        self.pushes()?;
        Config::read(push, "configuration.taskPushNotificationConfig")
    }

    /// `GetTaskPushNotificationConfig`.
    pub(crate) async fn get_push(&self, params: &Value) -> Result<Value, Fault> {
        let (task, kept) = self.pushes_of(params).await?;
        let id = Fields::of(params, "")?.needed("id")?;
        let found = kept.into_iter().find(|kept| kept.config.id == id);
        let found = found
            .ok_or_else(|| Fault::new(Kind::TaskNotFound, format!("the task has no configuration {id:?}")))?;
        Ok(found.config.json(task))
    }

    /// `ListTaskPushNotificationConfigs`.
    pub(crate) async fn list_pushes(&self, params: &Value) -> Result<Value, Fault> {
        let (task, kept) = self.pushes_of(params).await?;
        let configs: Vec<Value> = kept.iter().map(|kept| kept.config.json(task)).collect();
        Ok(json!({"configs": configs, "nextPageToken": ""}))
    }

    /// `DeleteTaskPushNotificationConfig`. One that is gone is gone.
    pub(crate) async fn delete_push(&self, params: &Value) -> Result<Value, Fault> {
        let (_, kept) = self.pushes_of(params).await?;
        let id = Fields::of(params, "")?.needed("id")?;
        if let Some(kept) = kept.iter().find(|kept| kept.config.id == id) {
            self.gateway.deliveries().end(kept);
            store::forget(self.runtime(), kept).await.map_err(fault)?;
        }
        Ok(json!({}))
    }

    /// Nobody is told of a task any more.
    pub(crate) async fn forget_pushes(&self, task: MessageId) -> Result<(), Error> {
        for kept in store::all(self.runtime(), task).await? {
            self.gateway.deliveries().end(&kept);
            store::forget(self.runtime(), &kept).await?;
        }
        Ok(())
    }

    async fn pushes_of(&self, params: &Value) -> Result<(MessageId, Vec<Kept>), Fault> {
        self.pushes()?;
        let following = self.follow(Fields::of(params, "")?.needed("taskId")?).await?;
        let task = following.found().id;
        Ok((task, store::all(self.runtime(), task).await.map_err(fault)?))
    }

    fn pushes(&self) -> Result<(), Fault> {
        if self.agent.push {
            Ok(())
        } else {
            Err(Fault::new(Kind::PushNotSupported, "the agent notifies nobody"))
        }
    }
}
