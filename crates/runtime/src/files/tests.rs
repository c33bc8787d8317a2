//! Pictures are kept once, private, and under their hash only.

use std::os::unix::fs::PermissionsExt;

use uuid::Uuid;

use super::*;

const ONE: SessionId = SessionId(Uuid::from_u128(1));
const OTHER: SessionId = SessionId(Uuid::from_u128(2));

#[tokio::test]
async fn a_picture_is_kept_once_under_its_hash_and_goes_with_its_session() {
    let dir = tempfile::tempdir().unwrap();
    let files = Files::new(dir.path().join("files")).unwrap();
    let picture = picture_of_url("data:image/png;base64,aGVsbG8=").unwrap();
    assert_eq!((picture.media_type.as_str(), picture.bytes.as_slice()), ("image/png", &b"hello"[..]));
    let sha256 = files.put(ONE, picture.clone()).await.unwrap();
    assert_eq!(sha256, "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
    assert_eq!(files.put(ONE, picture).await.unwrap(), sha256);
    let path = files.path(ONE, &sha256);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing else is left");
    assert_eq!(files.get(ONE, &sha256).await.unwrap(), b"hello");
    assert_eq!(files.get(OTHER, &sha256).await.unwrap_err().code(), Code::NotFound);
    files.remove(ONE).await.unwrap();
    assert_eq!(files.get(ONE, &sha256).await.unwrap_err().code(), Code::NotFound);
    files.remove(ONE).await.unwrap();
}

#[tokio::test]
async fn a_hash_is_no_way_to_other_files() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("secret"), "x").unwrap();
    let files = Files::new(dir.path().join("files")).unwrap();
    for name in ["../../secret", "", "abc"] {
        assert_eq!(files.get(ONE, name).await.unwrap_err().code(), Code::NotFound, "{name}");
    }
}

#[test]
fn only_pictures_that_are_here_are_taken() {
    let cases = [
        ("https://example.com/a.png", Code::ImageUrlRefused),
        ("http://example.com/a.png", Code::ImageUrlRefused),
        ("file:///etc/passwd", Code::ImageUrlRefused),
        ("data:image/png,plain", Code::InvalidArgument),
        ("data:image/png;base64", Code::InvalidArgument),
        ("data:image/png;base64,???", Code::InvalidArgument),
        ("data:image/png;base64,", Code::InvalidArgument),
        ("data:text/html;base64,aGVsbG8=", Code::InvalidArgument),
    ];
    for (url, code) in cases {
        assert_eq!(picture_of_url(url).unwrap_err().code(), code, "{url}");
    }
}
