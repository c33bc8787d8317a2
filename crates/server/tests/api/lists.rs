//! A list says of each session what the session says of itself: a dashboard needs one request.

use serde_json::{Value, json};

use crate::{
    on_both,
    support::stage::Stage,
    ways::{git, say},
};

on_both!(a_list_and_a_session_say_the_same);

on_the_stand_in!(sessions_of_one_repository_count_from_where_each_began);

async fn listed(stage: &Stage) -> Vec<Value> {
    stage.http.get("/v1/sessions").await.expect(200)["items"].as_array().unwrap().clone()
}

fn commit(stage: &Stage, file: &str, text: &str) {
    std::fs::write(stage.work(file), text).unwrap();
    git(&stage.work(""), &["add", "."]);
    git(&stage.work(""), &["-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", file]);
}

async fn a_list_and_a_session_say_the_same(stage: Stage) {
    git(&stage.work(""), &["init", "-q", "-b", "main"]);
    commit(&stage, "before.txt", "old\n");
    let server = json!({"command": "demo", "args": ["hush-1"], "env": {"TOKEN": "hush-2"}});
    let rich = json!({
        "name": "rich", "labels": {"team": "a"}, "effort": "high", "developer_instructions": "Be brief.",
        "busy_policy": "steer", "budget": {"max_total_tokens": 1000}, "env": {"API_KEY": "hush-3"},
        "mcp_servers": {"demo": server}, "worktree": "feature",
        "tools": [{"name": "lookup", "description": "Looks up.", "input_schema": {"type": "object"}}],
    });
    let made = [
        stage.session(rich).await,
        stage.session(json!({"approval_policy": "never", "sandbox": "danger-full-access"})).await,
        stage.session(json!({})).await,
    ];
    assert_eq!(say(&stage, &made[1], "[patch]").await["state"], "completed");
    let patch = json!({"name": "changed", "busy_policy": "reject", "permission_mode": "plan"});
    stage.http.patch(&format!("/v1/sessions/{}", made[2]), patch).await.expect(200);
    let items = listed(&stage).await;
    assert_eq!(items.len(), 3);
    for (item, id) in items.iter().zip(&made) {
        let shown = stage.http.get(&format!("/v1/sessions/{id}")).await.expect(200);
        assert_eq!(item, &shown);
        assert!(!item.to_string().contains("hush-"), "{item}");
    }
    let changed = json!({"branch": "main", "ahead": 0, "behind": 0, "dirty": true, "lines_added": 2, "lines_removed": 0});
    assert_eq!((&items[1]["git"], &items[2]["git"]), (&changed, &changed), "they work in one place");
    assert_eq!((&items[0]["git"]["branch"], &items[0]["git"]["dirty"]), (&json!("feature"), &json!(false)));
    assert_eq!((&items[0]["env"], &items[0]["mcp_servers"]), (&json!(["API_KEY"]), &json!(["demo"])));
    assert_eq!((&items[0]["effort"], &items[0]["tools"][0]["name"]), (&json!("high"), &json!("lookup")));
    assert_eq!((&items[2]["permission_mode"], &items[2]["name"]), (&json!("plan"), &json!("changed")));
    stage.close().await;
}

async fn sessions_of_one_repository_count_from_where_each_began(stage: Stage) {
    git(&stage.work(""), &["init", "-q", "-b", "main"]);
    commit(&stage, "a.txt", "one\n");
    stage.session(json!({})).await;
    commit(&stage, "b.txt", "one\ntwo\n");
    stage.session(json!({})).await;
    stage.session(json!({})).await;
    std::fs::write(stage.work("c.txt"), "one\n").unwrap();
    let items = listed(&stage).await;
    let added: Vec<_> = items.iter().map(|item| item["git"]["lines_added"].clone()).collect();
    assert_eq!(added, [3, 1, 1]);
    stage.close().await;
}
