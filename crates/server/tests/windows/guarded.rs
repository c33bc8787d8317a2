//! Who may use an endpoint: the session's own agent by its secret, whoever has a token that may talk, and nobody else.

use serde_json::json;

use crate::{
    calling::listening,
    desk::made,
    gate::{Gate, token_of},
    mcp::{Mcp, read},
    support::{http::Http, stage::in_time},
};

async fn status(http: &Http, session: &str) -> u16 {
    Mcp::at(http, session).try_ask("tools/list", json!({})).await.status.as_u16()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_opens_its_own_endpoint_and_nothing_else() {
    in_time(async {
        let gate = Gate::with_tokens(&[("looks", "'read'"), ("talks", "'write'")]).await;
        let (one, other) = (
            made(&gate.owner(), &gate.work(), json!({})).await,
            made(&gate.owner(), &gate.work(), json!({})).await,
        );
        let agent = gate.as_one_with(&gate.agents_secret(&one));
        assert_eq!(status(&agent, &one).await, 200);
        assert_eq!(status(&agent, &other).await, 401, "another's");
        assert_eq!(agent.get("/v1/sessions").await.problem(401), "unauthenticated", "it is no token");
        assert_eq!(agent.get(&format!("/mcp/{one}")).await.status, 405);
        assert_eq!(status(&gate.stranger, &one).await, 401);
        assert_eq!(status(&gate.as_one_with(&gate.agents_secret(&one)[..63]), &one).await, 401);
        assert_eq!(status(&gate.as_one_with(&token_of("looks")), &one).await, 403);
        assert_eq!(status(&gate.as_one_with(&token_of("talks")), &one).await, 200);
        let elsewhere = agent.clone().with("host", "evil.example");
        assert_eq!(
            Mcp::at(&elsewhere, &one).try_ask("tools/list", json!({})).await.problem(421),
            "host_refused"
        );
        let site = agent.clone().with("origin", "https://evil.example");
        assert_eq!(
            Mcp::at(&site, &one).try_ask("tools/list", json!({})).await.problem(403),
            "origin_refused"
        );
        let nowhere = "0199aaaa-aaaa-7aaa-8aaa-aaaaaaaaaaaa";
        assert_eq!(status(&gate.owner(), nowhere).await, 404);
        gate.close().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_goes_with_its_session() {
    in_time(async {
        let gate = Gate::open().await;
        let id = made(&gate.owner(), &gate.work(), json!({})).await;
        let agent = gate.as_one_with(&gate.agents_secret(&id));
        let path = format!("/v1/sessions/{id}");
        gate.owner().post(&format!("{path}/archive"), json!({})).await.expect(202);
        assert_eq!(Mcp::at(&agent, &id).try_ask("tools/list", json!({})).await.problem(409), "archived");
        gate.owner().post(&format!("{path}/unarchive"), json!({})).await.expect(202);
        assert_eq!(status(&agent, &id).await, 200);
        let mut runner = listening(&gate, &id).await;
        let called = Mcp::at(&agent, &id).look("a").await;
        runner.until("tool.requested").await;
        gate.owner().delete(&path).await.expect(204);
        let ended = read(called).await;
        assert_eq!(ended["result"]["isError"], true, "{ended}");
        assert_eq!(
            Mcp::at(&agent, &id).try_ask("tools/list", json!({})).await.problem(401),
            "unauthenticated"
        );
        gate.close().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_server_of_its_name_is_refused_when_the_session_is_made() {
    in_time(async {
        let gate = Gate::open().await;
        let tools = json!([{"name": "look", "description": "", "input_schema": {}}]);
        let servers = json!({"selvedge": {"url": "http://127.0.0.1:1/"}});
        let fields = json!({"cwd": gate.work(), "tools": tools, "tools_via": "mcp", "mcp_servers": servers});
        let answer = gate.owner().post("/v1/sessions", fields).await;
        assert_eq!(answer.problem(400), "invalid_argument");
        assert_eq!(answer.json()["field"], "mcp_servers", "the name is taken");
        gate.close().await;
    })
    .await;
}
