//! An action with what the rule's regular expression found in the user's text.

use std::borrow::Cow;

use serde_json::Value;

use super::{Action, Mcp, Place, Run, Say, Tool};

impl Place<'_> {
    /// The action as it is played here: a `say` is always filled, a call where it asks for it.
    pub fn filled<'a>(&self, action: &'a Action) -> Cow<'a, Action> {
        Cow::Owned(match action {
            Action::Say(say) => Action::Say(Say { text: self.fill(&say.text), ..say.clone() }),
            Action::Run(run) if run.fill => {
                Action::Run(Run { command: self.fill(&run.command), ..run.clone() })
            }
            Action::Tool(tool) if tool.fill => {
                let mut arguments = tool.arguments.clone();
                self.fill_strings(&mut arguments);
                Action::Tool(Tool { arguments, ..tool.clone() })
            }
            Action::Mcp(mcp) if mcp.fill => {
                let mut arguments = mcp.arguments.clone();
                self.fill_strings(&mut arguments);
                Action::Mcp(Mcp { arguments, ..mcp.clone() })
            }
            other => return Cow::Borrowed(other),
        })
    }

    fn fill_strings(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.fill(text),
            Value::Array(values) => values.iter_mut().for_each(|value| self.fill_strings(value)),
            Value::Object(fields) => fields.values_mut().for_each(|value| self.fill_strings(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Action, Scenario};

    #[test]
    fn a_call_is_filled_only_where_it_asks_for_it() {
        let scenario = Scenario::parse(
            r#"
            [[rule]]
            regex = 'for (?P<who>\w+)$'
            step = [
              { do = [{ run = { command = "echo ${who}a $(date)", fill = true } }] },
              { do = [{ run = { command = "echo $$" } }] },
              { do = [{ tool = { name = "t", arguments = { id = ["$who"] }, fill = true } }] },
              { do = [{ mcp = { server = "s", tool = "t", arguments = { id = "$who" }, fill = true } }] },
            ]
            "#,
        )
        .unwrap();
        let place = scenario.place("something for Anna", 0).unwrap();
        let played: Vec<String> =
            place.rule.steps.iter().map(|step| text(&place.filled(&step.actions[0]))).collect();
        assert_eq!(played, ["echo Annaa $(date)", "echo $$", r#"{"id":["Anna"]}"#, r#"{"id":"Anna"}"#]);
    }

    fn text(action: &Action) -> String {
        match action {
            Action::Run(run) => run.command.clone(),
            Action::Tool(tool) => tool.arguments.to_string(),
            Action::Mcp(mcp) => mcp.arguments.to_string(),
            other => other.name().to_owned(),
        }
    }
}
