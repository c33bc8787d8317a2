//! Skills that a prompt brings: Codex finds them, in a home of their own.

use std::fs;

use selvedge_agent::{Codex, Prompt, Sandbox, Section, Session, Skill, ToolInvoked, Visibility};

use crate::{
    stage::{Setup, on_both, on_the_real},
    support::{invoked, says},
};

on_both!(a_home_is_shared_by_whoever_wants_the_same);
on_the_real!(
    the_model_is_told_of_a_skill_and_nobody_else_is,
    a_skill_comes_with_its_section,
    the_login_and_the_user_s_own_directory_stay
);

fn codeword() -> Skill {
    Skill::new("codeword-keeper", "Knows the codeword of the day.", "The codeword is xylophone.")
}

fn with(skill: Skill, text: &str) -> Prompt {
    let section = Section::markdown("Task", "task", text).skill(skill);
    Prompt::text("tests", "skills").section(section).build().unwrap()
}

async fn the_model_is_told_of_a_skill_and_nobody_else_is(setup: Setup) {
    let stage = setup.play("").await;
    let (codex, session) = (stage.codex().await, Session::new());
    codex.evaluate(&with(codeword(), "[stream]"), &session).await.unwrap();
    let asked = stage.last_asked().unwrap();
    assert!(asked.contains("codeword-keeper") && asked.contains("Knows the codeword of the day."), "{asked}");
    assert!(!asked.contains("xylophone"), "the rest is read when it is needed");
    codex.evaluate(&says("[stream]"), &session).await.unwrap();
    assert!(!stage.last_asked().unwrap().contains("codeword-keeper"));
    stage.close(codex).await;
}

async fn a_skill_comes_with_its_section(setup: Setup) {
    const OPENING: &str = r#"
[[rule]]
contains = "Ask the keeper."
step = [ { do = [ { say = { text = "Asked.", phase = "final_answer" } } ] } ]

[[rule]]
contains = "[open]"
step = [
  { do = [ { tool = { name = "open_sections", arguments = { section_keys = ["keeper"], reason = "I need it." } } } ] },
  { do = [ { say = { text = "Too late.", repeat = 200, pace_ms = 100 } } ] },
]
"#;
    let stage = setup.play(OPENING).await;
    let (codex, session) = (stage.codex().await, Session::new());
    let keeper = Section::markdown("Keeper", "keeper", "Ask the keeper.").summary("There is a keeper.");
    let prompt = Prompt::text("tests", "skills")
        .section(Section::markdown("Task", "task", "[open]"))
        .section(keeper.visibility(Visibility::Summary).skill(codeword()))
        .build()
        .unwrap();
    let reply = codex.evaluate(&prompt, &session).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.renderings), ("Asked.", 2));
    assert_eq!(invoked(&session), [("open_sections".into(), true)]);
    let told: Vec<bool> =
        stage.asked().unwrap().iter().map(|asked| asked.to_string().contains("codeword-keeper")).collect();
    assert_eq!((told.first(), told.last()), (Some(&false), Some(&true)));
    stage.close(codex).await;
}

async fn the_login_and_the_user_s_own_directory_stay(setup: Setup) {
    const WHERE: &str = r#"
[[rule]]
contains = "[where]"
step = [
  { do = [ { run = { command = "printenv CODEX_HOME" } } ] },
  { do = [ { say = { text = "Looked.", phase = "final_answer" } } ] },
]
"#;
    let stage = setup.play(WHERE).await;
    // A user whose Codex keeps its files where it does by itself. Only there it learns of the model.
    let user = tempfile::tempdir().unwrap();
    let mut config = stage.config();
    let codex_home = config.codex_home.take().unwrap();
    let own = user.path().join(".codex");
    std::os::unix::fs::symlink(codex_home, &own).unwrap();
    let builder = Codex::builder().runtime(config).cwd(stage.work("")).sandbox(Sandbox::DangerFullAccess);
    let codex = builder.env("HOME", user.path().to_str().unwrap()).build().await.unwrap();
    let session = Session::new();
    codex.evaluate(&with(codeword(), "[where]"), &session).await.unwrap();
    assert!(stage.last_asked().unwrap().contains("codeword-keeper"));
    let said = session.latest::<ToolInvoked>().unwrap().rendered_output;
    assert_eq!(Some(said.trim()), own.to_str(), "and where it is is no secret");
    stage.close(codex).await;
}

async fn a_home_is_shared_by_whoever_wants_the_same(setup: Setup) {
    let stage = setup.play("").await;
    let codex = stage.builder().reuse_thread().data_dir(stage.data()).build().await.unwrap();
    let session = Session::new();
    let first = codex.evaluate(&with(codeword(), "[stream]"), &session).await.unwrap();
    let again = codex.evaluate(&with(codeword(), "[stream]"), &session).await.unwrap();
    assert!(again.resumed && again.thread_id == first.thread_id);
    let homes = || fs::read_dir(stage.data().join("homes")).unwrap().count();
    assert_eq!(homes(), 1);
    let other = Skill::new("codeword-keeper", "Knows the codeword of the day.", "It is another one.");
    let other = codex.evaluate(&with(other, "[stream]"), &session).await.unwrap();
    assert!(!other.resumed, "a thread keeps its skills");
    assert_eq!(homes(), 2);
    stage.close(codex).await;
}
