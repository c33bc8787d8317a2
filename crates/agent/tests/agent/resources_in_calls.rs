//! Resources of calls: fresh for each, closed with it, and undone if it failed.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use schemars::JsonSchema;
use selvedge_agent::{
    Prompt, Resource, ResourceError, ResourceResolver, Section, Session, Tool, ToolCall, ToolContext,
    ToolError, Toolbox,
};
use serde::Deserialize;
use serde_json::json;

use crate::resources::Notes;

/// Lives as long as the toolbox, and can be undone.
#[derive(Default)]
struct Basket(Mutex<Vec<String>>);

impl Basket {
    fn items(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }

    fn restore(&self, items: Vec<String>) {
        *self.0.lock().unwrap() = items;
    }
}

/// Holds a basket, and knows nothing of undoing.
struct Shop(Arc<Basket>);

/// Lives for one call.
struct Trace(usize);

#[derive(Deserialize, JsonSchema)]
struct Put {
    item: String,
    #[serde(default)]
    how: String,
}

fn put() -> Tool {
    Tool::new("put", "Put something in.", async |params: Put, context: ToolContext| {
        let shop = context.resource::<Shop>().await?;
        shop.0.0.lock().unwrap().push(params.item);
        match params.how.as_str() {
            "fail" => Err(ToolError::new("no")),
            "fail late" => {
                for _ in 0..3 {
                    tokio::task::yield_now().await;
                }
                Err(ToolError::new("no"))
            }
            "panic" => panic!("a handler's mistake"),
            "wait" => std::future::pending().await,
            _ => {
                // Others have a chance to come between.
                tokio::task::yield_now().await;
                Ok(shop.0.items())
            }
        }
    })
}

fn trace() -> Tool {
    Tool::new("trace", "Trace.", async |(): (), context: ToolContext| {
        let (one, other) = tokio::join!(context.resource::<Trace>(), context.resource::<Trace>());
        let (one, other) = (one?, other?);
        if Arc::ptr_eq(&one, &other) { Ok(one.0) } else { Err(ToolError::new("two of them")) }
    })
}

fn prompt(notes: &Notes) -> Prompt {
    let (opening, closing) = (notes.clone(), notes.clone());
    let numbers = Arc::new(AtomicUsize::new(1));
    let traces = Resource::per_call(move |_| {
        opening.add("open trace");
        let number = numbers.fetch_add(1, Ordering::Relaxed);
        async move { Ok(Trace(number)) }
    });
    let traces = traces.close(move |it: Arc<Trace>| {
        let notes = closing.clone();
        async move { notes.add(format!("close trace {}", it.0)) }
    });
    Prompt::text("demo", "shop")
        .section(Section::markdown("T", "t", "x").tool(put()).tool(trace()))
        .resource(Resource::singleton(async |_| Ok(Basket::default())).undo(Basket::items, Basket::restore))
        .resource(Resource::singleton(async |it: ResourceResolver| Ok(Shop(it.get().await?))))
        .resource(traces)
        .build()
        .unwrap()
}

async fn call(tools: &Toolbox, item: &str, how: &str) -> bool {
    tools.call(ToolCall::new("put", json!({"item": item, "how": how}))).await.success
}

#[tokio::test]
async fn a_call_has_its_own_and_it_is_closed_with_it() {
    let (session, notes) = (Session::new(), Notes::default());
    let tools = prompt(&notes).render(&session).unwrap().toolbox(&session);
    for number in 1..=2 {
        let answer = tools.call(ToolCall::new("trace", json!({}))).await;
        assert!(answer.success, "{answer:?}");
        assert_eq!(notes.take(), ["open trace".to_owned(), format!("close trace {number}")]);
    }
}

#[tokio::test]
async fn what_a_failed_call_did_is_undone_also_to_what_others_hold() {
    let (session, notes) = (Session::new(), Notes::default());
    let prompt = prompt(&notes);
    let resources = prompt.open_resources().await.unwrap();
    let tools = prompt.render(&session).unwrap().toolbox(&session).resources(&resources);
    assert!(call(&tools, "a", "").await);
    for how in ["fail", "panic"] {
        assert!(!call(&tools, "b", how).await);
        assert_eq!(resources.get::<Basket>().await.unwrap().items(), ["a"], "{how}");
    }
    // One that nobody waits for any more.
    tokio::select! {
        biased;
        ended = call(&tools, "c", "wait") => panic!("{ended}"),
        () = tokio::task::yield_now() => {}
    }
    assert_eq!(resources.get::<Basket>().await.unwrap().items(), ["a"]);
    assert!(call(&tools, "d", "").await);
    assert_eq!(resources.get::<Basket>().await.unwrap().items(), ["a", "d"]);
}

#[tokio::test]
async fn calls_side_by_side_undo_only_their_own() {
    let (session, notes) = (Session::new(), Notes::default());
    let prompt = prompt(&notes);
    let resources = prompt.open_resources().await.unwrap();
    let tools = prompt.render(&session).unwrap().toolbox(&session).resources(&resources);
    let ended = tokio::join!(
        call(&tools, "a", "fail late"),
        call(&tools, "b", ""),
        call(&tools, "c", "fail late"),
        call(&tools, "d", "panic"),
        call(&tools, "e", ""),
    );
    assert_eq!(ended, (false, true, false, false, true));
    assert_eq!(resources.get::<Basket>().await.unwrap().items(), ["b", "e"]);
}

#[tokio::test]
async fn a_call_within_a_call_finds_the_same_and_is_undone_on_its_own() {
    let (session, notes) = (Session::new(), Notes::default());
    let inner = prompt(&notes);
    let resources = inner.open_resources().await.unwrap();
    let tool = Tool::new("outer", "Call within.", move |params: Put, context: ToolContext| {
        let inner = inner.clone();
        async move {
            let shop = context.resource::<Shop>().await?;
            shop.0.0.lock().unwrap().push(params.item);
            let within = inner.render(context.session())?.toolbox(context.session());
            let within = within.resources(context.resources());
            let kept = call(&within, "inner", "").await;
            let undone = !call(&within, "lost", "fail").await;
            if params.how == "fail" { Err(ToolError::new("no")) } else { Ok((kept, undone)) }
        }
    });
    let outer = Prompt::text("demo", "outer").section(Section::markdown("T", "t", "x").tool(tool));
    let outer = outer.build().unwrap();
    let tools = outer.render(&session).unwrap().toolbox(&session).resources(&resources);
    let answer = tools.call(ToolCall::new("outer", json!({"item": "outer"}))).await;
    assert!(answer.success, "{answer:?}");
    let items = async || resources.get::<Basket>().await.unwrap().items();
    assert_eq!(items().await, ["outer", "inner"]);
    let answer = tools.call(ToolCall::new("outer", json!({"item": "again", "how": "fail"}))).await;
    assert!(!answer.success);
    assert_eq!(items().await, ["outer", "inner"], "what a call within it did goes with it");
}

#[tokio::test]
async fn whoever_is_left_behind_by_a_call_gets_nothing_any_more() {
    let session = Session::new();
    let left = Arc::new(Mutex::new(None));
    let leaving = left.clone();
    let tool = Tool::new("leave", "Leave somebody behind.", move |(): (), context: ToolContext| {
        *leaving.lock().unwrap() = Some(context);
        async { Ok(()) }
    });
    let section = Section::markdown("T", "t", "x").tool(tool);
    let prompt = Prompt::text("demo", "leave").section(section);
    let prompt = prompt.resource(Resource::per_call(async |_| Ok(Trace(1)))).build().unwrap();
    let tools = prompt.render(&session).unwrap().toolbox(&session);
    assert!(tools.call(ToolCall::new("leave", json!({}))).await.success);
    let context = left.lock().unwrap().take().unwrap();
    let error = context.resource::<Trace>().await.err().unwrap();
    assert!(matches!(error, ResourceError::Closed { .. }), "{error}");
}
