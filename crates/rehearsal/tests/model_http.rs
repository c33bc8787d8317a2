//! The scripted model over HTTP: what each action becomes on the wire, without a Codex.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod model_support;

use model_support::{
    Answer, answered, classic, code_mode, developer, exchange, open, post, serve, steps, user, with,
};
use serde_json::{Value, json};
use tokio::io::AsyncReadExt;

/// The answer of a one-step scenario.
async fn played(actions: &str, request: &Value) -> Answer {
    let server = serve(&steps(&[actions])).await;
    let answer = post(&server, request).await;
    server.stop().await.unwrap();
    answer
}

fn arguments(call: &Value) -> Value {
    serde_json::from_str(call["arguments"].as_str().unwrap()).unwrap()
}

#[tokio::test]
async fn a_message_comes_in_deltas_and_then_whole() {
    let answer =
        played("{ say = { text = 'Hello dear world', deltas = 4, phase = 'final_answer' } }", &classic("hi"))
            .await;
    assert_eq!(answer.status, 200);
    let events = answer.events();
    assert_eq!(events[0]["type"], "response.created");
    let deltas: Vec<&str> = events.iter().filter_map(|event| event["delta"].as_str()).collect();
    assert_eq!((deltas.len(), deltas.concat().as_str()), (4, "Hello dear world"));
    assert_eq!(answer.messages(), ["Hello dear world"]);
    assert_eq!(answer.items()[0]["phase"], "final_answer");
    assert_eq!(events.last().unwrap()["type"], "response.completed");
}

#[tokio::test]
async fn reasoning_comes_as_a_summary() {
    let answer =
        played("{ think = { text = 'so be it', deltas = 2 } }, { say = { text = 'ok' } }", &classic("hi"))
            .await;
    let deltas =
        answer.events().into_iter().filter(|event| event["type"] == "response.reasoning_summary_text.delta");
    assert_eq!(deltas.count(), 2);
    assert_eq!(answer.items()[0]["summary"][0]["text"], "so be it");
}

#[tokio::test]
async fn usage_is_what_the_scenario_says_or_an_estimate() {
    let said = played(
        "{ say = { text = 'x' } }, { usage = { input = 7, cached = 2, output = 3, reasoning = 1 } }",
        &classic("hi"),
    )
    .await;
    assert_eq!(said.usage()["total_tokens"], 10);
    assert_eq!(said.usage()["input_tokens_details"]["cached_tokens"], 2);
    assert_eq!(said.usage()["output_tokens_details"]["reasoning_tokens"], 1);
    let estimated = played("{ say = { text = '12345678' } }", &classic("1234")).await;
    assert_eq!(estimated.usage(), played("{ say = { text = '12345678' } }", &classic("4321")).await.usage());
    assert_eq!(estimated.usage()["output_tokens"], 2);
}

#[tokio::test]
async fn a_classic_model_calls_each_tool_by_its_name() {
    let patch = "*** Begin Patch\\n*** Add File: a\\n+b\\n*** End Patch";
    for (action, name, expected) in [
        (
            "{ run = { command = 'ls', escalate = true, justification = 'why' } }".to_owned(),
            "exec_command",
            json!({"cmd": "ls", "sandbox_permissions": "require_escalated", "justification": "why"}),
        ),
        (
            "{ run = { command = 'ls', wait_ms = 500 } }".into(),
            "exec_command",
            json!({"cmd": "ls", "yield_time_ms": 500}),
        ),
        ("{ tool = { name = 'lookup', arguments = { id = 1 } } }".into(), "lookup", json!({"id": 1})),
        (
            "{ plan = { steps = [ { step = 'a', status = 'pending' } ] } }".into(),
            "update_plan",
            json!({"plan": [{"step": "a", "status": "pending"}]}),
        ),
        (
            "{ ask = { questions = [ { id = 'q', header = 'h', question = '?', options = ['a'] } ] } }"
                .into(),
            "request_user_input",
            json!({"questions": [{"id": "q", "header": "h", "question": "?", "options": [{"label": "a", "description": "a"}]}]}),
        ),
    ] {
        let answer = played(&action, &classic("hi")).await;
        let call = &answer.calls()[0];
        assert_eq!(call["name"], name, "{action}");
        assert_eq!(arguments(call), expected, "{action}");
    }
    let answer = played(&format!("{{ patch = {{ patch = \"{patch}\" }} }}"), &classic("hi")).await;
    assert_eq!(answer.calls()[0]["type"], "custom_tool_call");
    assert!(answer.calls()[0]["input"].as_str().unwrap().starts_with("*** Begin Patch\n"));
}

#[tokio::test]
async fn an_older_codex_runs_commands_by_its_own_tools() {
    let action = "{ run = { command = 'ls', escalate = true, justification = 'why', wait_ms = 500 } }";
    for (tool, command) in [("shell_command", json!("ls")), ("shell", json!(["bash", "-lc", "ls"]))] {
        let mut request = classic("hi");
        request["tools"] = json!([{"type": "function", "name": tool}]);
        let call = played(action, &request).await.calls()[0].clone();
        let expected = json!({"command": command, "sandbox_permissions": "require_escalated", "justification": "why", "timeout_ms": 500});
        assert_eq!((&call["name"], arguments(&call)), (&json!(tool), expected));
    }
}

#[tokio::test]
async fn a_patch_goes_through_the_shell_where_there_is_no_tool_for_it() {
    let mut request = classic("hi");
    request["tools"] = json!([{"type": "function", "name": "exec_command"}]);
    let answer = played("{ patch = { patch = '*** Begin Patch' } }", &request).await;
    let command = arguments(&answer.calls()[0])["cmd"].as_str().unwrap().to_owned();
    assert!(command.starts_with("apply_patch <<'END_OF_PATCH'\n*** Begin Patch\n"), "{command}");
}

#[tokio::test]
async fn an_mcp_tool_is_called_the_way_it_is_offered() {
    let action = "{ mcp = { server = 'demo', tool = 'echo', arguments = { a = 1 } } }";
    for (tools, name, namespace) in [
        (json!([{"type": "function", "name": "mcp__demo__echo"}]), "mcp__demo__echo", Value::Null),
        (
            json!([{"type": "namespace", "name": "mcp__demo", "tools": [{"type": "function", "name": "echo"}]}]),
            "echo",
            json!("mcp__demo"),
        ),
        (json!([{"type": "tool_search"}]), "echo", json!("mcp__demo")),
    ] {
        let mut request = classic("hi");
        request["tools"] = tools;
        let call = played(action, &request).await.calls()[0].clone();
        assert_eq!((&call["name"], &call["namespace"]), (&json!(name), &namespace));
    }
}

#[tokio::test]
async fn a_code_mode_model_makes_all_calls_of_a_step_in_one_script() {
    let two = "{ tool = { name = 'lookup', arguments = { id = 'A' } } }, { run = { command = 'ls' } }";
    let server = serve(&steps(&[two, "{ say = { text = 'both' } }"])).await;
    let request = code_mode("hi");
    let first = post(&server, &request).await;
    let calls = first.calls();
    assert_eq!((calls.len(), &calls[0]["name"]), (1, &json!("exec")));
    let script = calls[0]["input"].as_str().unwrap();
    assert!(script.contains(r#"call("lookup", {"id":"A"}),"#), "{script}");
    assert!(script.contains(r#"call("exec_command", {"cmd":"ls"}),"#), "{script}");
    // One output for two calls: the next step is next all the same.
    let second = post(&server, &answered(request, &first, "Script completed")).await;
    assert_eq!(second.messages(), ["both"]);
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_script_that_still_runs_is_waited_for() {
    let server = serve(&steps(&["{ run = { command = 'ls' } }", "{ say = { text = 'after' } }"])).await;
    let request = code_mode("hi");
    let first = post(&server, &request).await;
    let request = answered(request, &first, "Script running with cell ID 7\nWall time 30 seconds");
    let wait = post(&server, &request).await;
    assert_eq!(wait.calls()[0]["name"], "wait");
    assert_eq!(arguments(&wait.calls()[0])["cell_id"], "7");
    let last = post(&server, &answered(request, &wait, "Script completed")).await;
    assert_eq!(last.messages(), ["after"]);
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_sub_agent_is_waited_for() {
    let server = serve(&steps(&["{ spawn = { prompt = 'count' } }", "{ say = { text = 'counted' } }"])).await;
    let mut hidden = classic("hi");
    hidden["tools"] = json!([{"type": "tool_search"}]);
    for (request, space, told, waited) in [
        (code_mode("hi"), "collaboration", r#"{"task_name":"a"}"#, json!(null)),
        (hidden, "multi_agent_v1", r#"{"agent_id":"t1","nickname":"N"}"#, json!(["t1"])),
    ] {
        let spawn = post(&server, &request).await;
        assert_eq!(
            (&spawn.calls()[0]["name"], &spawn.calls()[0]["namespace"]),
            (&json!("spawn_agent"), &json!(space))
        );
        assert_eq!(arguments(&spawn.calls()[0])["message"], "count");
        let request = answered(request, &spawn, told);
        let wait = post(&server, &request).await;
        assert_eq!(wait.calls()[0]["name"], "wait_agent");
        assert_eq!(arguments(&wait.calls()[0])["targets"], waited);
        let last = post(&server, &answered(request, &wait, r#"{"timed_out":false}"#)).await;
        assert_eq!(last.messages(), ["counted"]);
    }
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_sub_agents_task_is_what_it_was_told() {
    let server =
        serve("[[rule]]\ncontains = 'count'\nstep = [ { do = [ { say = { text = 'one' } } ] } ]").await;
    let task = json!({"type": "agent_message", "author": "/root", "content": [
        {"type": "input_text", "text": "Message Type: NEW_TASK"}, {"type": "encrypted_content", "encrypted_content": "count"}]});
    let mut request = code_mode("");
    request["input"].as_array_mut().unwrap().pop();
    assert_eq!(post(&server, &with(request, [task])).await.messages(), ["one"]);
    server.stop().await.unwrap();
}

#[tokio::test]
async fn what_cannot_be_played_is_said_and_the_scenario_goes_on() {
    let planning = developer("<collaboration_mode># Plan Mode (Conversational)");
    let mut in_default_mode = classic("hi");
    in_default_mode["tools"] = json!([{"type": "function", "name": "request_user_input",
        "description": "This tool is only available in Plan mode."}]);
    let mut nothing = classic("hi");
    nothing["tools"] = json!([]);
    let plan = "{ plan = { steps = [] } }";
    for (action, request, why) in [
        (plan, nothing.clone(), "no `update_plan` is offered"),
        (plan, with(classic("hi"), [planning]), "no checklist in plan mode"),
        (
            "{ ask = { questions = [ { id = 'q', header = 'h', question = '?', options = ['a'] } ] } }",
            in_default_mode,
            "only in plan mode",
        ),
        ("{ tool = { name = 'other' } }", classic("hi"), "no dynamic tool `other`"),
        ("{ mcp = { server = 's', tool = 't' } }", classic("hi"), "no MCP server `s`"),
        ("{ spawn = { prompt = 'x' } }", nothing.clone(), "no `spawn_agent` is offered"),
        ("{ run = { command = 'x' } }", nothing, "no `exec_command` is offered"),
    ] {
        let server = serve(&steps(&[action, "{ say = { text = 'next' } }"])).await;
        let messages = post(&server, &request).await.messages();
        assert!(
            messages[0].starts_with("rehearsal: `") && messages[0].contains(why),
            "{action}: {messages:?}"
        );
        assert_eq!(messages[1], "next", "{action}");
        server.stop().await.unwrap();
    }
    let answer = played("{ answer = {} }", &classic("hi")).await;
    assert!(answer.messages()[0].contains("no output schema"));
    let answer = played("{ crash = {} }", &classic("hi")).await;
    assert!(answer.messages()[0].contains("only the simulated app-server"));
}

#[tokio::test]
async fn a_call_that_codex_refused_is_explained() {
    let server = serve(&steps(&["{ tool = { name = 'lookup' } }", "{ say = { text = 'next' } }"])).await;
    let first = post(&server, &classic("hi")).await;
    let second = post(&server, &answered(classic("hi"), &first, "unsupported call: lookup")).await;
    assert_eq!(
        second.messages(),
        ["rehearsal: a call cannot be played here: unsupported call: lookup", "next"]
    );
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_structured_answer_fits_the_schema() {
    let mut request = classic("hi");
    request["text"] =
        json!({"format": {"schema": {"type": "object", "properties": {"n": {"type": "integer"}}}}});
    assert_eq!(played("{ answer = {} }", &request).await.messages(), [r#"{"n":0}"#]);
    assert_eq!(played("{ answer = { json = { n = 5 } } }", &request).await.messages(), [r#"{"n":5}"#]);
}

#[tokio::test]
async fn only_what_people_say_chooses_the_rule() {
    let echo = "[[rule]]\nregex = '(?s)^(.*)$'\nstep = [ { do = [ { say = { text = '$1' } } ] } ]";
    let server = serve(echo).await;
    let summary = "Another language model started to solve this problem and so on:\nall done";
    for (after, heard) in [
        (vec![], "hi"),
        (
            vec![
                user("<turn_aborted>\nx</turn_aborted>"),
                user("<subagent_notification>{}</subagent_notification>"),
            ],
            "hi",
        ),
        (
            vec![
                user("# AGENTS.md instructions for /w"),
                user("<user_shell_command>ls</user_shell_command>"),
            ],
            "hi",
        ),
        (vec![developer("be kind"), user("a steer")], "a steer"),
        (vec![user(summary)], "all done"),
        (vec![user("<b>bold</b>")], "<b>bold</b>"),
    ] {
        assert_eq!(post(&server, &with(classic("hi"), after)).await.messages(), [heard]);
    }
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_compaction_is_answered_with_the_rules_summary() {
    let server = serve(&steps(&["{ compact = { summary = 'short' } }, { run = { command = 'ls' } }"])).await;
    let first = post(&server, &classic("hi")).await;
    assert!(
        first.usage()["input_tokens"].as_u64().unwrap() > 1_000_000,
        "a full context makes Codex compact"
    );
    let ask = user("You are performing a CONTEXT CHECKPOINT COMPACTION. Create a handoff summary");
    let summary = post(&server, &with(answered(classic("hi"), &first, "ok"), [ask])).await;
    assert_eq!(summary.messages(), ["short"]);
    assert!(summary.usage()["input_tokens"].as_u64().unwrap() < 10_000);
    server.stop().await.unwrap();
}

#[tokio::test]
async fn failures_are_told_the_way_codex_reads_them() {
    for (kind, status, field, value) in [
        ("server_error", 500, "type", "server_error"),
        ("overloaded", 503, "code", "server_is_overloaded"),
        ("too_many_requests", 429, "type", "too_many_requests"),
        ("usage_limit", 429, "type", "usage_limit_reached"),
        ("unauthorized", 401, "type", "invalid_request_error"),
        ("bad_request", 400, "type", "invalid_request_error"),
        ("model_not_found", 404, "code", "model_not_found"),
    ] {
        let answer =
            played(&format!("{{ fail = {{ as = '{kind}', message = 'words' }} }}"), &classic("hi")).await;
        let body: Value = serde_json::from_str(&answer.body).unwrap();
        assert_eq!((answer.status, &body["error"][field]), (status, &json!(value)), "{kind}");
        assert_eq!(body["error"]["message"], "words");
    }
    let full = played("{ fail = { as = 'context_window' } }", &classic("hi")).await;
    assert_eq!(full.events().last().unwrap()["response"]["error"]["code"], "context_length_exceeded");
    let late = played("{ say = { text = 'x' } }, { fail = { as = 'overloaded' } }", &classic("hi")).await;
    assert_eq!(late.events().last().unwrap()["response"]["error"]["code"], "server_is_overloaded");
}

#[tokio::test]
async fn a_cut_comes_after_what_was_said() {
    let answer = played(
        "{ say = { text = 'half of a', open = true } }, { fail = { as = 'disconnect' } }",
        &classic("hi"),
    )
    .await;
    assert!(answer.cut);
    let deltas: String =
        answer.events().iter().filter_map(|event| event["delta"].as_str().map(str::to_owned)).collect();
    assert_eq!(deltas, "half of a");
    assert!(answer.items().is_empty(), "the message is left open");
    let hang = played("{ hang = { after_ms = 1 } }", &classic("hi")).await;
    assert!(hang.cut);
}

#[tokio::test]
async fn stopping_cuts_a_response_that_hangs() {
    let server = serve(&steps(&["{ hang = {} }"])).await;
    let mut stream = open(server.addr(), "POST", "/v1/responses", &classic("hi").to_string()).await;
    let mut first = [0; 64];
    assert!(stream.read(&mut first).await.unwrap() > 0, "the response has begun");
    server.stop().await.unwrap();
    let mut rest = Vec::new();
    let _end_or_reset = stream.read_to_end(&mut rest).await;
    assert!(!String::from_utf8_lossy(&rest).contains("response.completed"));
}

#[tokio::test]
async fn a_retry_gets_the_same_ids_and_nothing_else_does() {
    let server = serve(&steps(&[
        "{ say = { text = 'x' } }, { run = { command = 'a' } }, { run = { command = 'a' } }",
    ]))
    .await;
    let ids = |answer: &Answer| -> Vec<String> {
        answer.items().iter().map(|item| item["id"].to_string()).collect()
    };
    let first = ids(&post(&server, &classic("hi")).await);
    assert_eq!(first, ids(&post(&server, &classic("hi")).await));
    let mut other_thread = classic("hi");
    other_thread["prompt_cache_key"] = json!("thread-2");
    let mut all = [
        first,
        ids(&post(&server, &other_thread).await),
        ids(&post(&server, &with(classic("hi"), [user("hi")])).await),
    ]
    .concat();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 9, "{all:?}");
    server.stop().await.unwrap();
}

#[tokio::test]
async fn any_prefix_leads_to_the_endpoints_and_requests_are_kept() {
    let server = serve(&steps(&["{ run = { command = 'ls' } }"])).await;
    let body = classic("remember me").to_string();
    assert_eq!(exchange(server.addr(), "POST", "/some/where/responses", &body).await.status, 200);
    assert_eq!(exchange(server.addr(), "GET", "/v1/models?client_version=0.98.0", "").await.status, 200);
    assert_eq!(exchange(server.addr(), "GET", "/v1/responses", "").await.status, 404);
    assert_eq!(exchange(server.addr(), "POST", "/v1/responses", "{").await.status, 400);
    let requests = server.requests();
    assert_eq!(requests.len(), 1);
    assert_eq!(
        (requests[0].user_text.as_str(), requests[0].rule, requests[0].step),
        ("remember me", Some(1), Some(1))
    );
    assert_eq!(requests[0].body, body.as_bytes());
    server.stop().await.unwrap();
}
