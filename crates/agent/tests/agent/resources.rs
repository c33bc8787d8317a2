//! What tools work with: when it is opened, how long it lives, and in which order it is closed.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use selvedge_agent::{
    Bindings, OpenError, Prompt, Resource, ResourceError, ResourceResolver, Resources, Section, Tool,
    ToolContext,
};

/// What happened, in order.
#[derive(Clone, Default)]
pub(crate) struct Notes(Arc<Mutex<Vec<String>>>);

impl Notes {
    pub(crate) fn add(&self, note: impl Into<String>) {
        self.0.lock().unwrap().push(note.into());
    }

    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

struct Config(usize);
struct Client(Arc<Config>);
struct Service(Arc<Client>);

/// Each needs the one before it; each notes when it is opened and closed.
fn chain(notes: &Notes) -> Bindings {
    static NUMBERS: AtomicUsize = AtomicUsize::new(0);
    let (a, b, c) = (notes.clone(), notes.clone(), notes.clone());
    let (a2, b2, c2) = (notes.clone(), notes.clone(), notes.clone());
    let config = Resource::singleton(move |_| {
        a.add("open config");
        async { Ok(Config(NUMBERS.fetch_add(1, Ordering::Relaxed))) }
    });
    let client = Resource::singleton(move |resources: ResourceResolver| {
        let notes = b.clone();
        async move {
            let config = resources.get().await?;
            notes.add("open client");
            Ok(Client(config))
        }
    });
    let service = Resource::singleton(move |resources: ResourceResolver| {
        let notes = c.clone();
        async move {
            let client = resources.get().await?;
            notes.add("open service");
            Ok(Service(client))
        }
    });
    let closing = |notes: Notes, what: &'static str| {
        move || {
            let notes = notes.clone();
            async move { notes.add(format!("close {what}")) }
        }
    };
    let (a2, b2, c2) = (closing(a2, "config"), closing(b2, "client"), closing(c2, "service"));
    Bindings::new()
        .bind(service.close(move |_: Arc<Service>| c2()))
        .bind(client.close(move |_: Arc<Client>| b2()))
        .bind(config.close(move |_: Arc<Config>| a2()))
}

#[tokio::test]
async fn what_is_needed_is_opened_first_and_closed_last() {
    let notes = Notes::default();
    let resources = chain(&notes).open().await.unwrap();
    assert!(notes.take().is_empty(), "nothing is opened before it is asked for");
    let service = resources.get::<Service>().await.unwrap();
    let config = resources.get::<Config>().await.unwrap();
    assert!(Arc::ptr_eq(&service.0.0, &config), "it is the same for everybody");
    assert_eq!(notes.take(), ["open config", "open client", "open service"]);
    resources.close().await;
    assert_eq!(notes.take(), ["close service", "close client", "close config"]);
    resources.close().await;
    assert!(notes.take().is_empty(), "once is enough");
    let late = resources.get::<Config>().await.err().unwrap();
    assert_eq!(late, ResourceError::Closed { resource: "Config".into() });
}

#[tokio::test]
async fn what_is_asked_for_side_by_side_is_opened_once() {
    let notes = Notes::default();
    let resources = chain(&notes).open().await.unwrap();
    let (a, b, c) =
        tokio::join!(resources.get::<Service>(), resources.get::<Config>(), resources.get::<Client>());
    assert!(Arc::ptr_eq(&a.unwrap().0.0, &b.unwrap()) && c.is_ok());
    assert_eq!(notes.take().len(), 3);
}

#[tokio::test]
async fn whoever_forgets_to_close_leaves_nothing_open() {
    let notes = Notes::default();
    let resources = chain(&notes).open().await.unwrap();
    resources.get::<Client>().await.unwrap();
    notes.take();
    drop(resources);
    tokio::task::yield_now().await;
    assert_eq!(notes.take(), ["close client", "close config"]);
}

#[tokio::test]
async fn a_circle_is_refused_with_its_path() {
    struct A;
    struct B;
    struct C;
    let bindings = Bindings::new()
        .bind(Resource::singleton(async |it: ResourceResolver| {
            it.get::<B>().await.map(|_| A).map_err(OpenError::from)
        }))
        .bind(Resource::singleton(async |it: ResourceResolver| {
            it.get::<C>().await.map(|_| B).map_err(OpenError::from)
        }))
        .bind(Resource::per_call(async |it: ResourceResolver| {
            it.get::<B>().await.map(|_| C).map_err(OpenError::from)
        }));
    let resources = bindings.clone().open().await.unwrap();
    let longer = ResourceError::OutsideCall { resource: "C".into(), for_whom: Some("B".into()) };
    assert_eq!(resources.get::<A>().await.err(), Some(longer), "B would outlive it");
    let bindings =
        bindings.merge(&Bindings::new().bind(Resource::singleton(async |it: ResourceResolver| {
            it.get::<B>().await?;
            Ok(C)
        })));
    let resources = bindings.open().await.unwrap();
    let error = resources.get::<A>().await.err().unwrap();
    assert_eq!(error.to_string(), "resources need each other in a circle: B -> C -> B");
    // Two that begin at different places do not wait for each other for ever.
    let (b, c) = tokio::join!(resources.get::<B>(), resources.get::<C>());
    assert!(matches!(
        (b.err(), c.err()),
        (Some(ResourceError::Circle { .. }), Some(ResourceError::Circle { .. }))
    ));
}

#[tokio::test]
async fn what_cannot_be_had_is_told() {
    struct Missing;
    struct Broken;
    struct Panicking;
    struct Needs;
    let bindings = Bindings::new()
        .bind(Resource::<Broken>::singleton(async |_| Err(std::io::Error::other("no disk"))?))
        .bind(Resource::<Panicking>::singleton(async |_| panic!("an opener's mistake")))
        .bind(Resource::singleton(async |it: ResourceResolver| {
            it.get::<Missing>().await?;
            Ok(Needs)
        }));
    let resources = bindings.open().await.unwrap();
    let told = |error: Option<ResourceError>| error.unwrap().to_string().lines().next().unwrap().to_owned();
    assert_eq!(told(resources.get::<Missing>().await.err()), "nothing is bound for Missing");
    assert_eq!(told(resources.get::<Needs>().await.err()), "nothing is bound for Missing");
    assert!(resources.get_optional::<Missing>().await.unwrap().is_none());
    assert_eq!(told(resources.get::<Broken>().await.err()), "Broken could not be opened: no disk");
    let panicked = "Panicking could not be opened: it panicked: an opener's mistake";
    assert_eq!(told(resources.get::<Panicking>().await.err()), panicked);
}

#[tokio::test]
async fn a_prototype_is_another_each_time() {
    let numbers = Arc::new(AtomicUsize::new(0));
    let config = Resource::prototype(move |_| {
        let number = numbers.fetch_add(1, Ordering::Relaxed);
        async move { Ok(Config(number)) }
    });
    let client = Resource::singleton(async |it: ResourceResolver| Ok(Client(it.get().await?)));
    let resources = Bindings::new().bind(config).bind(client).open().await.unwrap();
    assert_eq!(resources.get::<Client>().await.unwrap().0.0, 0);
    assert_eq!(resources.get::<Client>().await.unwrap().0.0, 0, "whoever asked for it keeps it");
    assert_eq!(resources.get::<Config>().await.unwrap().0, 1);
    assert_eq!(resources.get::<Config>().await.unwrap().0, 2);
}

#[tokio::test]
async fn what_is_eager_is_opened_at_once_and_closed_again_if_another_fails() {
    struct Broken;
    let (opened, closed) = (Notes::default(), Notes::default());
    let (opening, closing) = (opened.clone(), closed.clone());
    let first = Resource::singleton(move |_| {
        opening.add("open");
        async { Ok(Config(0)) }
    });
    let first = first.eager().close(move |_: Arc<Config>| {
        let notes = closing.clone();
        async move { notes.add("close") }
    });
    let broken = Resource::<Broken>::singleton(async |_| Err(OpenError::new("no"))).eager();
    let good = Bindings::new().bind(first);
    let resources = good.clone().open().await.unwrap();
    assert_eq!(opened.take(), ["open"]);
    resources.close().await;
    assert_eq!(closed.take(), ["close"]);
    let error = good.bind(broken).open().await.unwrap_err();
    assert_eq!(error, ResourceError::Failed { resource: "Broken".into(), why: "no".into() });
    assert_eq!((opened.take(), closed.take()), (vec!["open".into()], vec!["close".into()]));
}

#[tokio::test(start_paused = true)]
async fn one_that_does_not_close_keeps_no_other_from_it() {
    let notes = Notes::default();
    let noting = notes.clone();
    let config = Resource::instance(Config(1)).close(move |_: Arc<Config>| {
        noting.add("closed");
        async {}
    });
    let client = Resource::singleton(async |it: ResourceResolver| Ok(Client(it.get().await?)));
    let client = client.close(async |_: Arc<Client>| std::future::pending().await);
    let service = Resource::singleton(async |it: ResourceResolver| Ok(Service(it.get().await?)));
    let service = service.close(async |_: Arc<Service>| panic!("a closer's mistake"));
    let resources = Bindings::new().bind(config).bind(client).bind(service).open().await.unwrap();
    resources.get::<Service>().await.unwrap();
    resources.close().await;
    assert_eq!(notes.take(), ["closed"]);
}

#[tokio::test]
async fn the_section_s_takes_the_place_of_the_prompt_s_and_what_is_bound_of_both() {
    let tool = Tool::new("t", "Do it.", async |(): (), context: ToolContext| {
        Ok(context.resource::<Config>().await?.0)
    });
    let inner = Section::markdown("B", "b", "y").resource(Resource::instance(Config(2)));
    let section = Section::markdown("A", "a", "x").tool(tool).child(inner);
    let prompt =
        Prompt::text("a", "b").section(section).resource(Resource::instance(Config(1))).build().unwrap();
    let number = async |resources: Resources| resources.get::<Config>().await.unwrap().0;
    assert_eq!(number(prompt.open_resources().await.unwrap()).await, 2);
    let bound = prompt.clone().bind_resource(Resource::instance(Config(3)));
    assert_eq!(number(bound.open_resources().await.unwrap()).await, 3);
    assert_eq!(number(prompt.open_resources().await.unwrap()).await, 2, "a copy has bindings of its own");
    let twice = Section::markdown("A", "a", "x");
    let twice = twice.resource(Resource::instance(Config(1))).resource(Resource::instance(Config(2)));
    let error = Prompt::text("a", "b").section(twice).build().unwrap_err();
    assert!(error.to_string().contains("section a: Config is bound twice"), "{error}");
}
