//! What Prometheus reads after something has happened.

use selvedge_runtime::{Message, NewSession};

use crate::{gate::Gate, support::stage::in_time};

#[tokio::test(flavor = "multi_thread")]
async fn it_counts_what_happened() {
    in_time(async {
        let gate = Gate::open().await;
        let cwd = gate.work().to_str().unwrap().to_owned();
        let session = gate.runtime.create(NewSession::in_directory(cwd)).await.unwrap();
        let sent = session.send(Message::text("[stream]")).await.unwrap();
        session.finished(sent.message_id).await.unwrap();
        let answer = gate.owner().get("/metrics").await;
        assert_eq!(answer.status, 200);
        let text = String::from_utf8(answer.body.to_vec()).unwrap();
        for line in [
            r#"selvedge_sessions{state="idle"} 1"#,
            r#"selvedge_sessions{state="running"} 0"#,
            r#"selvedge_messages_finished_total{status="completed"} 1"#,
            r#"selvedge_messages_finished_total{status="lost"} 0"#,
            "selvedge_turns_total 1",
            "selvedge_queued_messages 0",
            "selvedge_approvals_pending 0",
            "selvedge_approvals_oldest_seconds 0",
            "selvedge_app_servers 1",
            "selvedge_app_server_restarts_total 0",
        ] {
            assert!(text.lines().any(|said| said == line), "{line} is missing in:\n{text}");
        }
        for name in [
            "selvedge_events_total",
            "selvedge_commits_total",
            "selvedge_commit_seconds_total",
            "selvedge_resident_memory_bytes",
        ] {
            let value = text.lines().find_map(|line| line.strip_prefix(&format!("{name} "))).expect(name);
            assert!(value.parse::<f64>().unwrap() > 0.0, "{name} {value}");
        }
        gate.close().await;
    })
    .await;
}
