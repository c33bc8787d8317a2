//! Tokens on disk: made once, for their user alone, and refused when others can read them.

use super::{super::keeper::open_tokens as open, *};

fn write(path: &Path, text: &str, mode: u32) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn told(opened: Result<(Secret, Tokens), Error>) -> String {
    let error = opened.err().unwrap();
    assert_eq!(error.code, Code::InvalidArgument);
    assert!(error.hint.is_some(), "{error}");
    error.message
}

#[test]
fn it_is_made_once_and_only_its_user_can_read_it() {
    let folder = tempfile::tempdir().unwrap();
    let (first, tokens) = open(folder.path(), None).unwrap();
    let mode = fs::metadata(folder.path().join("token")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let (second, _) = open(folder.path(), None).unwrap();
    assert_eq!(first, second);
    assert_eq!(tokens.find(first.reveal()).map(Token::name), Some("local"));
}

#[test]
fn a_given_one_is_taken_and_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (own, _) = open(folder.path(), Some(Secret::new("given"))).unwrap();
    assert_eq!(own.reveal(), "given");
    assert!(!folder.path().join("token").exists());
    assert!(told(open(folder.path(), Some(Secret::new("")))).contains("empty"));
}

#[test]
fn named_ones_have_their_scopes() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[[tokens]]\nname = 'wall'\ntoken = '0123456789abcdef'\nscopes = ['read']\n";
    write(&folder.path().join("tokens.toml"), text, 0o600);
    let (_, tokens) = open(folder.path(), None).unwrap();
    let wall = tokens.find("0123456789abcdef").unwrap();
    assert_eq!(wall.name(), "wall");
    assert!(wall.scopes().has(Scope::Read) && !wall.scopes().has(Scope::Write));
}

#[test]
fn what_others_can_read_is_refused() {
    for file in ["token", "tokens.toml"] {
        for mode in [0o644, 0o640, 0o660, 0o604] {
            let folder = tempfile::tempdir().unwrap();
            write(&folder.path().join(file), "", mode);
            assert!(told(open(folder.path(), None)).contains("can be read by others"), "{file} {mode:o}");
        }
    }
}

#[test]
fn a_file_that_is_wrong_says_where_and_not_what_is_secret() {
    let entry = |name: &str, token: &str, scopes: &str| {
        format!("[[tokens]]\nname = '{name}'\ntoken = '{token}'\nscopes = [{scopes}]\n")
    };
    let good = "0123456789abcdef";
    for (text, wanted) in [
        (entry("a b", good, "'read'"), "is no name"),
        (entry("local", good, "'read'"), "is taken"),
        (entry("x", "short-secret", "'read'"), "less than 16"),
        (entry("x", good, ""), "no scopes"),
        (entry("x", good, "'root'"), "line 4"),
        (format!("{}colour = 'red'\n", entry("x", good, "'read'")), "colour"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        write(&folder.path().join("tokens.toml"), &text, 0o600);
        let told = told(open(folder.path(), None));
        assert!(told.contains(wanted), "{wanted}: {told}");
        assert!(!told.contains(good) && !told.contains("short-secret"), "{told}");
    }
}
