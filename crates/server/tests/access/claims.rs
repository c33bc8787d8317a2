//! One gateway a data directory, and clear words when it cannot have its place.

use std::fs;

use selvedge_server::{Listening, Running, Settings};

use crate::{
    gate::{Gate, OWN, config, settings},
    support::stage::in_time,
};

async fn refused(settings: Settings, data: std::path::PathBuf) -> (String, String) {
    let error = Listening::open(settings, config(data)).await.err().expect("it is refused");
    (error.message, error.hint.expect("and says what to do"))
}

#[tokio::test]
async fn a_second_one_on_the_same_directory_is_told_where_the_first_is() {
    in_time(async {
        let gate = Gate::open().await;
        let data = gate.directory.path().join("data");
        let running = Running::find(&data).expect("it says where it is");
        assert_eq!(running.url, format!("http://{}", gate.stranger.address));
        assert_eq!(running.pid, std::process::id());
        assert_eq!(running.token.as_deref(), Some(OWN));
        let (message, hint) = refused(settings(), data.clone()).await;
        assert!(message.contains(&running.url), "{message}");
        assert!(hint.contains("selvedge stop"), "{hint}");
        gate.stop.send_replace(selvedge_server::Stop::Drain);
        gate.running.await.unwrap();
        assert!(Running::find(&data).is_none());
        assert!(!data.join("gateway.json").exists());
    })
    .await;
}

#[tokio::test]
async fn what_was_left_by_one_that_was_killed_is_in_nobodys_way() {
    in_time(async {
        let directory = tempfile::tempdir().unwrap();
        let data = directory.path().join("data");
        fs::create_dir(&data).unwrap();
        fs::write(data.join("gateway.json"), r#"{"url":"http://127.0.0.1:1","pid":1,"version":"0"}"#)
            .unwrap();
        assert!(Running::find(&data).is_none(), "nobody holds the lock");
        let gate = Gate::at(directory, settings()).await;
        assert_eq!(Running::find(&data).unwrap().url, format!("http://{}", gate.stranger.address));
        gate.close().await;
    })
    .await;
}

#[tokio::test]
async fn a_port_or_directory_that_cannot_be_had_is_said_with_a_hint() {
    in_time(async {
        let folder = tempfile::tempdir().unwrap();
        let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let listen = taken.local_addr().unwrap();
        let (message, hint) = refused(Settings { listen, ..settings() }, folder.path().join("data")).await;
        assert!(message.contains(&listen.to_string()) && hint.contains("--listen"), "{message}\n{hint}");
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let (message, hint) = refused(settings(), file.join("data")).await;
        assert!(message.contains("file/data") && hint.contains("--data-dir"), "{message}\n{hint}");
    })
    .await;
}

#[tokio::test]
async fn a_key_nobody_knows_is_named() {
    let mut config = config("data".into());
    config.serve.insert("colour".into(), "red".into());
    let error = Settings::of(&config).unwrap_err();
    assert!(error.message.contains("colour") && error.hint.unwrap().contains("docs/configuration.md"));
    config.serve.clear();
    config.serve.insert("drain".into(), "long".into());
    assert!(Settings::of(&config).unwrap_err().message.contains("serve.drain"));
    config.serve.insert("drain".into(), 5.into());
    assert_eq!(Settings::of(&config).unwrap().drain, 5);
}
