//! How much of a section is shown.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::session::{Session, Slice};

/// How much of a section is shown.
///
/// ```
/// use selvedge_agent::{Prompt, Section, Session, Visibility};
///
/// let history = Section::markdown("History", "history", "Everything: …").summary("What was decided.").visibility(Visibility::Summary);
/// let prompt = Prompt::text("demo", "work").section(history).build()?;
/// let session = Session::new();
/// assert!(prompt.render(&session)?.text().contains("What was decided."));
/// session.set_visibility("history", Visibility::Full);
/// assert!(prompt.render(&session)?.text().contains("Everything: …"));
/// # Ok::<(), selvedge_agent::PromptError>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// All of it, with its children and its tools.
    #[default]
    Full,
    /// Its summary, and how to see the rest.
    Summary,
}

/// What a session wants to see otherwise than the prompt says, by a section's path in dots.
///
/// ```
/// use selvedge_agent::{Session, Visibility, VisibilityOverrides};
///
/// let session = Session::new();
/// session.set_visibility("history", Visibility::Full);
/// let overrides: VisibilityOverrides = session.latest().unwrap_or_default();
/// assert_eq!((overrides.get("history"), overrides.get("tone")), (Some(Visibility::Full), None));
/// session.clear_visibility("history");
/// assert_eq!(session.visibility("history"), None);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VisibilityOverrides(BTreeMap<String, Visibility>);

impl Slice for VisibilityOverrides {
    const NAME: &'static str = "visibility_overrides";
}

impl VisibilityOverrides {
    /// What is wanted of a section, if anything is.
    #[must_use]
    pub fn get(&self, section: &str) -> Option<Visibility> {
        self.0.get(section).copied()
    }
}

/// How much of a prompt's sections is shown.
impl Session {
    /// Shows a section so, whatever its prompt says.
    pub fn set_visibility(&self, section: impl Into<String>, visibility: Visibility) {
        let section = section.into();
        self.update(move |it: &mut VisibilityOverrides| {
            it.0.insert(section.clone(), visibility);
        });
    }

    /// Shows a section as its prompt says again.
    pub fn clear_visibility(&self, section: impl Into<String>) {
        let section = section.into();
        self.update(move |it: &mut VisibilityOverrides| {
            it.0.remove(&section);
        });
    }

    /// Shows every section as its prompt says again.
    pub fn clear_all_visibility(&self) {
        self.clear::<VisibilityOverrides>();
    }

    /// How much of a section this session wants to see; `None`: as its prompt says.
    #[must_use]
    pub fn visibility(&self, section: &str) -> Option<Visibility> {
        self.latest::<VisibilityOverrides>()?.get(section)
    }
}
