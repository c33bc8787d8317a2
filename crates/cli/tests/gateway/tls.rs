//! A gateway behind `https://`, as a proxy puts it there.

use std::{net::SocketAddr, path::Path, sync::Arc};

use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    runtime::Runtime,
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::ring,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
    },
};

use crate::stage::{Ran, Stage, gateway::Gateway};

fn kept(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gateway/tls").join(name)
}

fn acceptor() -> TlsAcceptor {
    let chain = vec![CertificateDer::from_pem_file(kept("certificate.pem")).unwrap()];
    let key = PrivateKeyDer::from_pem_file(kept("key.pem")).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    TlsAcceptor::from(Arc::new(config.with_single_cert(chain, key).unwrap()))
}

/// Ends with the runtime.
fn proxy(runtime: &Runtime, to: SocketAddr) -> SocketAddr {
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    let address = listener.local_addr().unwrap();
    runtime.spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let mut inner = TcpStream::connect(to).await.unwrap();
            runtime_task(async move {
                // Whoever does not trust us leaves.
                let Ok(mut outer) = acceptor().accept(stream).await else { return };
                let _left = copy_bidirectional(&mut outer, &mut inner).await;
            });
        }
    });
    address
}

#[expect(clippy::disallowed_methods, reason = "the test's runtime ends it")]
fn runtime_task(work: impl Future<Output = ()> + Send + 'static) {
    tokio::spawn(work);
}

#[test]
fn commands_and_events_go_through_tls_if_the_certificate_is_trusted() {
    let stage = Stage::new();
    let gateway = Gateway::start(&stage, &[]);
    let runtime = Runtime::new().unwrap();
    let address = proxy(&runtime, gateway.address.parse().unwrap());
    let url = format!("https://localhost:{}", address.port());
    let run = |arguments: &[&str], trusted: bool| {
        let mut command = stage.command(arguments);
        command.env("SELVEDGE_GATEWAY", &url).env("SELVEDGE_TOKEN", gateway.token.as_ref().unwrap());
        if trusted {
            command.env("SSL_CERT_FILE", kept("certificate.pem"));
        }
        Ran::from(command.env("SELVEDGE_DATA_DIR", stage.path("elsewhere")).output().unwrap())
    };
    let ran = run(&["run", "hello"], true);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "Hello, you.\n"), "{ran:?}");
    let strange = run(&["run", "hello"], false);
    assert_eq!((strange.code, strange.stdout.as_str()), (Some(1), ""), "{strange:?}");
    let hint = "hint: name a file with the certificates you trust in SSL_CERT_FILE";
    assert!(strange.stderr.contains("certificate") && strange.stderr.contains(hint), "{strange:?}");
    let plain = stage.run(&["sessions", "--gateway", &format!("http://{address}")]);
    assert_eq!(plain.code, Some(1), "{plain:?}");
    assert!(plain.stderr.contains("whether it is not https:// there"), "{plain:?}");
    gateway.stopped();
}
