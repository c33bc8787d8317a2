//! The stand-in: what it plays, and a Codex on it.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use selvedge_rehearsal::BadFault;
use selvedge_rehearsal::app_server::{self, Faults, Options};
use selvedge_rehearsal::recording::{self, Pace, ReadError, Recording, Script};
use selvedge_rehearsal::scenario::{Rule, Scenario, ScenarioError};
use selvedge_runtime::{Config, Restarts, Stage, Within};
use serde_json::Value;
use tokio::io::DuplexStream;

use super::asked::{self, Asked};
use super::ear::Heard;
use super::model::Model;
use crate::codex::{Codex, CodexBuilder};

/// A stand-in for Codex that plays what a test says, or what was recorded. A clone is the same one.
///
/// ```
/// use selvedge_agent::{Prompt, Section, Session, testing::Rehearsal};
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let rehearsal = Rehearsal::builder()
///     .on("weather", |model| model.thinks("It was in the news.").says("Rain."))
///     .otherwise(|model| model.says("I do not know."))
///     .build()?;
/// let codex = rehearsal.codex().build().await?;
/// for (question, answer) in [("How is the weather?", "Rain."), ("Why?", "I do not know.")] {
///     let prompt = Prompt::text("demo", "ask").section(Section::markdown("Task", "task", question)).build()?;
///     assert_eq!(codex.evaluate(&prompt, &Session::new()).await?.text, answer);
/// }
/// assert_eq!((rehearsal.asked().len(), rehearsal.conversations()), (2, 1));
/// # codex.close().await;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Rehearsal {
    plays: Plays,
    faults: Faults,
    heard: Heard,
    conversations: Arc<AtomicUsize>,
}

#[derive(Clone)]
enum Plays {
    Scenario(Arc<Scenario>),
    Recording(Arc<Recording>),
}

impl fmt::Debug for Rehearsal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match &self.plays {
            Plays::Scenario(scenario) => &scenario.name,
            Plays::Recording(_) => "a recording",
        };
        out.debug_struct("Rehearsal").field("plays", &name).finish_non_exhaustive()
    }
}

impl Rehearsal {
    /// From rules that say what the model does for which prompt.
    pub fn builder() -> RehearsalBuilder {
        RehearsalBuilder::default()
    }

    /// Says this to every prompt.
    ///
    /// ```
    /// # use selvedge_agent::{Prompt, Section, Session, testing::Rehearsal};
    /// # #[tokio::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let codex = Rehearsal::saying("Good morning.").codex().build().await?;
    /// let prompt = Prompt::text("demo", "greet").section(Section::markdown("Task", "task", "Say hello.")).build()?;
    /// assert_eq!(codex.evaluate(&prompt, &Session::new()).await?.text, "Good morning.");
    /// # codex.close().await;
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn saying(text: impl Into<String>) -> Self {
        Self::always(Model::default().says(text))
    }

    /// Answers every prompt with this value.
    #[must_use]
    pub fn answering(json: Value) -> Self {
        Self::always(Model::default().answers(json))
    }

    /// Plays a scenario in TOML, with everything that a scenario can say.
    ///
    /// ```
    /// # use selvedge_agent::testing::Rehearsal;
    /// let rehearsal = Rehearsal::scenario(r#"
    ///     [[rule]]
    ///     regex = '(?i)my name is (?P<who>\w+)'
    ///     step = [ { do = [ { say = { text = "Hello ${who}." } } ] } ]
    /// "#)?;
    /// # Ok::<(), selvedge_agent::testing::ScenarioError>(())
    /// ```
    ///
    /// # Errors
    /// If it is none; where, and what to do.
    pub fn scenario(toml: &str) -> Result<Self, ScenarioError> {
        Scenario::parse(toml).map(Self::of)
    }

    /// Plays a conversation that was recorded, with `record` in the [`RuntimeConfig`](crate::RuntimeConfig) or by `selvedge run --record`, as fast as it goes. It waits where the program did something then (began a thread or a turn, answered a tool
    /// call) until it is done again: the same prompts have to be evaluated in the same order. What the program's own tools
    /// answer is up to them; what the model said is as it was.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn recording(file: impl AsRef<Path>) -> Result<Self, ReadError> {
        let recording = Recording::open(file.as_ref())?;
        Ok(Self::playing(Plays::Recording(Arc::new(recording))))
    }

    /// Misbehaves, in the words of `selvedge rehearse app-server --faults`: `ignore-interrupt`, `crash-after=9`, … A recording plays as it was.
    ///
    /// # Errors
    /// If there is no such fault.
    pub fn with_faults(mut self, faults: &str) -> Result<Self, BadFault> {
        self.faults = faults.parse()?;
        Ok(self)
    }

    /// A Codex on it. Everything else is as it would be; commands run where its `cwd` says.
    pub fn codex(&self) -> CodexBuilder {
        Codex::builder().runtime(self.config())
    }

    /// What the runtime is told so that this plays. For a builder that has to be told more.
    ///
    /// ```
    /// use selvedge_agent::{Codex, RuntimeConfig, testing::Rehearsal};
    ///
    /// let config = RuntimeConfig { threads_per_process: 2, ..Rehearsal::saying("Hello.").config() };
    /// let codex = Codex::builder().runtime(config);
    /// ```
    #[must_use]
    pub fn config(&self) -> Config {
        let mut config = Config { keep_warm: false, codex: Some("rehearsal".into()), ..Config::default() };
        // Nobody has to be spared: what was told to end is there again at once.
        config.restarts = Restarts { first_delay_seconds: 0.0, ..Restarts::default() };
        let this = self.clone();
        config.rehearsal.within = Some(Within::new(move |stage, stream| this.clone().serve(stage, stream)));
        config
    }

    /// What it was asked, oldest first.
    ///
    /// ```
    /// # use selvedge_agent::{Prompt, Section, Session, testing::Rehearsal};
    /// # #[tokio::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let prompt = Prompt::text("demo", "greet").section(Section::markdown("Task", "task", "Say hello.")).build()?;
    /// let rehearsal = Rehearsal::saying("Hello.");
    /// let codex = rehearsal.codex().effort("low").build().await?;
    /// codex.evaluate(&prompt, &Session::new()).await?;
    /// assert_eq!(rehearsal.asked()[0].turn["effort"], "low");
    /// # codex.close().await;
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn asked(&self) -> Vec<Asked> {
        asked::read(&self.heard.lines())
    }

    /// The parameters of every request of this method that it took, oldest first, in Codex's words. What it refused is not among
    /// them: so is found out what a Codex can do.
    ///
    /// ```
    /// # use selvedge_agent::{Session, testing::Rehearsal};
    ///
    /// # #[tokio::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let rehearsal = Rehearsal::saying("Hello.");
    /// let codex = rehearsal.codex().ephemeral().build().await?;
    /// # let prompt = selvedge_agent::Prompt::text("demo", "go").section(selvedge_agent::Section::markdown("Task", "task", "Go.")).build()?;
    /// codex.evaluate(&prompt, &Session::new()).await?;
    /// assert_eq!(rehearsal.heard("thread/start")[0]["ephemeral"], true);
    /// # codex.close().await;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn heard(&self, method: &str) -> Vec<Value> {
        let lines = self.heard.lines();
        asked::taken(&lines).filter(|it| it.method == method).map(|it| it.params.clone()).collect()
    }

    /// How many app-servers were started.
    #[must_use]
    pub fn conversations(&self) -> usize {
        self.conversations.load(Ordering::Relaxed)
    }

    fn always(model: Model) -> Self {
        Self::of(Scenario { name: "a test".to_owned(), rules: vec![Rule::new(None, model.responses())] })
    }

    fn of(scenario: Scenario) -> Self {
        Self::playing(Plays::Scenario(Arc::new(scenario)))
    }

    fn playing(plays: Plays) -> Self {
        Self { plays, faults: Faults::default(), heard: Heard::default(), conversations: Arc::default() }
    }

    async fn serve(self, stage: Stage, stream: DuplexStream) -> std::io::Result<()> {
        let number = self.conversations.fetch_add(1, Ordering::Relaxed);
        let (input, output) = tokio::io::split(stream);
        let input = self.heard.listen(input, number, true);
        let output = self.heard.listen(output, number, false);
        match &self.plays {
            Plays::Scenario(scenario) => {
                let (scenario, faults) = (Scenario::clone(scenario), self.faults.clone());
                let options = Options { scenario, faults, home: stage.codex_home, env: stage.env };
                app_server::serve(options, input, output).await.map(drop)
            }
            Plays::Recording(recorded) => {
                recording::serve(Script::of(recorded), Pace::AtOnce, input, output).await
            }
        }
    }
}

/// Makes a [`Rehearsal`] from rules. The first that is for a prompt plays.
///
/// ```
/// use selvedge_agent::testing::{FailKind, Rehearsal};
///
/// let rehearsal = Rehearsal::builder()
///     .on("[again]", |model| model.says("Once more."))
///     .otherwise(|model| model.fails(FailKind::Overloaded))
///     .build()?;
/// # Ok::<(), selvedge_agent::testing::ScenarioError>(())
/// ```
#[must_use]
#[derive(Debug, Clone, Default)]
pub struct RehearsalBuilder {
    rules: Vec<Rule>,
}

impl RehearsalBuilder {
    /// What the model does if the rendered prompt contains this.
    pub fn on(mut self, part: impl Into<String>, model: impl FnOnce(Model) -> Model) -> Self {
        self.rules.push(Rule::new(Some(part.into()), model(Model::default()).responses()));
        self
    }

    /// What it does for every prompt that no rule before is for.
    pub fn otherwise(mut self, model: impl FnOnce(Model) -> Model) -> Self {
        self.rules.push(Rule::new(None, model(Model::default()).responses()));
        self
    }

    /// Checks it.
    ///
    /// # Errors
    /// If something in it can never be played: where, and what to do.
    pub fn build(self) -> Result<Rehearsal, ScenarioError> {
        Scenario::new("a test", self.rules).map(Rehearsal::of)
    }
}
