//! What a model does in a turn, written in a test.

use selvedge_rehearsal::scenario::{
    Action, Answer, Crash, Fail, FailKind, Hang, Patch, Run, Say, Search, Step, Think, Tool, Usage,
};
use serde_json::Value;

/// What the model does when a rule of a [`RehearsalBuilder`](super::RehearsalBuilder) is for the prompt: response after response, each ended by a call or by the turn's end.
///
/// ```
/// use selvedge_agent::testing::Rehearsal;
/// use serde_json::json;
///
/// let rehearsal = Rehearsal::builder()
///     .on("Count", |model| {
///         model
///             .thinks("Two files.")
///             .uses(800, 40)
///             .calls("count_lines", json!({"path": "a.rs"}))
///             .runs("wc -l b.rs")
///             .answers(json!({"lines": 12}))
///     })
///     .build()?;
/// # Ok::<(), selvedge_agent::testing::ScenarioError>(())
/// ```
#[must_use]
#[derive(Debug, Clone, Default)]
pub struct Model {
    steps: Vec<Step>,
    response: Vec<Action>,
}

impl Model {
    /// Thinks aloud.
    pub fn thinks(self, text: impl Into<String>) -> Self {
        self.add(Action::Think(Think { text: text.into(), ..Think::default() }))
    }

    /// Says something: before a call as a remark, else as its answer.
    pub fn says(self, text: impl Into<String>) -> Self {
        self.add(Action::Say(Say { text: text.into(), ..Say::default() }))
    }

    /// Answers with this value, whatever the prompt's type.
    pub fn answers(self, json: Value) -> Self {
        self.add(Action::Answer(Answer { json: Some(json) }))
    }

    /// Searches the web, as far as anybody is told of it.
    pub fn searches(self, query: impl Into<String>) -> Self {
        self.add(Action::Search(Search { query: query.into() }))
    }

    /// Reports that this response used so many tokens. Unsaid, four bytes are one. Say it before the call that ends the response.
    pub fn uses(self, input: u64, output: u64) -> Self {
        self.add(Action::Usage(Usage { input, output, ..Usage::default() }))
    }

    /// Calls a tool of the prompt's, and goes on with its answer.
    pub fn calls(self, tool: impl Into<String>, arguments: Value) -> Self {
        self.call(Action::Tool(Tool { name: tool.into(), namespace: None, arguments, fill: false }))
    }

    /// Runs a command, which is really run, without a sandbox, where the Codex works.
    pub fn runs(self, command: impl Into<String>) -> Self {
        self.call(Action::Run(Run { command: command.into(), ..Run::default() }))
    }

    /// Runs a command outside the sandbox: under `on-request` that is asked first, with this reason.
    pub fn asks_to_run(self, command: impl Into<String>, why: impl Into<String>) -> Self {
        let (command, justification) = (command.into(), Some(why.into()));
        self.call(Action::Run(Run { command, justification, escalate: true, ..Run::default() }))
    }

    /// Changes files by a patch in Codex's format, which is really applied.
    ///
    /// ```
    /// use selvedge_agent::{Session, ToolInvoked, testing::Rehearsal};
    ///
    /// # #[tokio::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let directory = tempfile::tempdir()?;
    /// let rehearsal = Rehearsal::builder()
    ///     .otherwise(|model| {
    ///         model.searches("how to greet").patches("*** Begin Patch\n*** Add File: hello.txt\n+Hello.\n*** End Patch").says("Done.")
    ///     })
    ///     .build()?;
    /// let codex = rehearsal.codex().cwd(directory.path()).build().await?;
    /// # let prompt = selvedge_agent::Prompt::text("demo", "go").section(selvedge_agent::Section::markdown("Task", "task", "Go.")).build()?;
    /// let session = Session::new();
    /// codex.evaluate(&prompt, &session).await?;
    /// assert_eq!(std::fs::read_to_string(directory.path().join("hello.txt"))?, "Hello.\n");
    /// assert!(session.all::<ToolInvoked>().iter().any(|call| call.name == "codex:file_change"));
    /// # codex.close().await;
    /// # Ok(())
    /// # }
    /// ```
    pub fn patches(self, patch: impl Into<String>) -> Self {
        self.call(Action::Patch(Patch { patch: patch.into() }))
    }

    /// Fails.
    pub fn fails(self, kind: FailKind) -> Self {
        self.add(Action::Fail(Fail { kind, message: None }))
    }

    /// Says nothing more, for ever.
    ///
    /// ```
    /// use std::time::Duration;
    /// use selvedge_agent::{Session, testing::Rehearsal};
    ///
    /// # #[tokio::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let codex = Rehearsal::builder().otherwise(|model| model.says("Well,").hangs()).build()?.codex().build().await?;
    /// # let prompt = selvedge_agent::Prompt::text("demo", "go").section(selvedge_agent::Section::markdown("Task", "task", "Go.")).build()?;
    /// let error = codex.evaluate(&prompt, &Session::new()).deadline(Duration::from_secs(1)).await.unwrap_err();
    /// assert_eq!(error.code, "deadline_exceeded");
    /// # codex.close().await;
    /// # Ok(())
    /// # }
    /// ```
    pub fn hangs(self) -> Self {
        self.add(Action::Hang(Hang::default()))
    }

    /// Ends Codex in the middle of the turn.
    pub fn crashes(self) -> Self {
        self.add(Action::Crash(Crash::default()))
    }

    fn add(mut self, action: Action) -> Self {
        self.response.push(action);
        self
    }

    fn call(mut self, action: Action) -> Self {
        self.response.push(action);
        self.steps.push(Step { actions: std::mem::take(&mut self.response) });
        self
    }

    /// Its responses. Without a last word the stand-in says one of its own.
    pub(super) fn responses(mut self) -> Vec<Step> {
        if !self.response.is_empty() {
            self.steps.push(Step { actions: self.response });
        }
        for step in &mut self.steps {
            let phase = if step.calls() == 0 { "final_answer" } else { "commentary" };
            for action in &mut step.actions {
                if let Action::Say(say) = action {
                    say.phase = Some(phase.to_owned());
                }
            }
        }
        self.steps
    }
}
