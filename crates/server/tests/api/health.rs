//! Whether it lives.

use crate::{on_both, support::stage::Stage};

on_both!(it_says_that_it_lives);

async fn it_says_that_it_lives(stage: Stage) {
    for path in ["/healthz", "/readyz"] {
        assert_eq!(&stage.http.get(path).await.body[..], b"ok\n");
    }
    stage.close().await;
}
