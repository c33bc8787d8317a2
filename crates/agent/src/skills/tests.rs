//! Skills as files: what is read, what is refused, and where they are installed.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;

const MAIN: &str = "---\nname: code-review\ndescription: \"How we: review\"\n---\nLook.\n";

fn loaded(text: &str) -> Result<LoadedSkill, String> {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("SKILL.md"), text).unwrap();
    Skill::at(directory.path()).load()
}

#[test]
fn name_and_description_stand_at_the_top() {
    for (text, description) in [
        (MAIN, "How we: review"),
        ("---\r\nname: code-review\r\ndescription: Plain words: here\r\n---\r\n", "Plain words: here"),
        ("---\ndescription: >-\n  Over two\n  lines.\nname: 'code-review'\n---\n", "Over two lines."),
    ] {
        let skill = loaded(text).unwrap();
        assert_eq!((skill.name.as_str(), skill.description.as_str()), ("code-review", description));
    }
}

#[test]
fn what_is_no_skill_is_refused() {
    let long = "x".repeat(1025);
    for (text, why) in [
        ("name: x".to_owned(), "does not begin with `---`"),
        ("---\nname: x\ndescription: y\n".to_owned(), "does not end with `---`"),
        ("---\ndescription: y\n---\n".to_owned(), "has no `name`"),
        ("---\nname: x\n---\n".to_owned(), "has no `description`"),
        ("---\nname: x\ndescription:\n---\n".to_owned(), "description is empty"),
        (format!("---\nname: x\ndescription: {long}\n---\n"), "more than 1024"),
        ("---\nname: Code Review\ndescription: y\n---\n".to_owned(), "cannot be a skill's name"),
        ("---\nname: a--b\ndescription: y\n---\n".to_owned(), "cannot be a skill's name"),
        ("---\nname: ../up\ndescription: y\n---\n".to_owned(), "cannot be a skill's name"),
    ] {
        let error = loaded(&text).unwrap_err();
        assert!(error.contains(why), "{text}: {error}");
    }
    assert!(Skill::at("/nowhere/at/all").load().is_err());
    let empty = tempfile::tempdir().unwrap();
    assert_eq!(Skill::at(empty.path()).load().unwrap_err(), "it has no SKILL.md");
}

#[test]
fn files_are_kept_with_their_places_and_links_are_not() {
    let (directory, data) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let source = directory.path().join("skill");
    fs::create_dir_all(source.join("scripts")).unwrap();
    fs::write(source.join("SKILL.md"), MAIN).unwrap();
    fs::write(source.join("scripts/run.sh"), "echo").unwrap();
    fs::set_permissions(source.join("scripts/run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(directory.path().join("secret"), "x").unwrap();
    symlink(directory.path().join("secret"), source.join("link")).unwrap();
    symlink(directory.path(), source.join("directory")).unwrap();
    let skill = Skill::at(&source).load().unwrap();
    let single = Skill::new("other", "Said \"so\".", "Do it.").load().unwrap();
    assert_eq!(single.description, "Said \"so\".");
    let home = install(data.path(), &[skill.clone(), single.clone()]).unwrap();
    let skills = home.join(".agents/skills");
    assert_eq!(fs::read_to_string(skills.join("code-review/SKILL.md")).unwrap(), MAIN);
    let script = fs::metadata(skills.join("code-review/scripts/run.sh")).unwrap();
    assert_eq!(script.permissions().mode() & 0o111, 0o111);
    assert!(skills.join("other/SKILL.md").exists());
    assert!(!skills.join("code-review/link").exists() && !skills.join("code-review/directory").exists());
    assert_eq!(
        install(data.path(), &[skill.clone(), single]).unwrap(),
        home,
        "whoever wants the same shares it"
    );
    assert_ne!(install(data.path(), &[skill]).unwrap(), home);
    let left = fs::read_dir(data.path().join("homes")).unwrap().count();
    assert_eq!(left, 2, "nothing half made is left");
}

#[test]
fn a_file_alone_is_a_skill_too_and_sizes_have_limits() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("review.md");
    fs::write(&file, MAIN).unwrap();
    assert_eq!(Skill::at(&file).load().unwrap().name, "code-review");
    let source = directory.path().join("large");
    fs::create_dir(&source).unwrap();
    fs::write(source.join("SKILL.md"), MAIN).unwrap();
    fs::File::create(source.join("one")).unwrap().set_len(1024 * 1024 + 1).unwrap();
    assert!(Skill::at(&source).load().unwrap_err().contains("1 MiB"));
    fs::remove_file(source.join("one")).unwrap();
    for number in 0..10 {
        fs::File::create(source.join(number.to_string())).unwrap().set_len(1024 * 1024).unwrap();
    }
    assert!(Skill::at(&source).load().unwrap_err().contains("10 MiB"));
}

#[test]
fn codex_s_own_directory_stays_the_user_s() {
    let env = |pairs: &[(&str, &str)]| {
        pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect::<BTreeMap<_, _>>()
    };
    assert_eq!(real_codex_home(&env(&[("CODEX_HOME", "/there")])), None);
    if std::env::var_os("CODEX_HOME").is_none() {
        let told = Some(("CODEX_HOME".to_owned(), "/user/.codex".to_owned()));
        assert_eq!(real_codex_home(&env(&[("HOME", "/user")])), told);
    }
}
