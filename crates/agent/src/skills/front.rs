//! What stands at the top of a `SKILL.md`: its name, and when it is of use.

/// The longest name.
const LONGEST_NAME: usize = 64;
/// The longest description.
const LONGEST_DESCRIPTION: usize = 1024;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Front {
    pub(super) name: String,
    pub(super) description: String,
}

impl Front {
    /// Reads it. Of YAML no more is understood than fields of one line and blocks of several; the rest is Codex's matter.
    pub(super) fn of(text: &str) -> Result<Self, String> {
        let mut lines = text.lines();
        if lines.next().map(str::trim_end) != Some("---") {
            return Err("its SKILL.md does not begin with `---`, its name and its description".to_owned());
        }
        let front: Vec<&str> = lines.by_ref().take_while(|line| line.trim_end() != "---").collect();
        if front.len() + 1 == text.lines().count() {
            return Err("what stands at the top of its SKILL.md does not end with `---`".to_owned());
        }
        let field = |name: &str| value(&front, name).ok_or_else(|| format!("its SKILL.md has no `{name}`"));
        let front = Self { name: field("name")?, description: field("description")? };
        front.wrong().map_or(Ok(front), Err)
    }

    /// The same as text, with instructions below it.
    pub(super) fn above(&self, instructions: &str) -> String {
        // A string of JSON is one of YAML.
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let (name, description) = (quoted(&self.name), quoted(&self.description));
        format!("---\nname: {name}\ndescription: {description}\n---\n\n{}\n", instructions.trim())
    }

    fn wrong(&self) -> Option<String> {
        let fits = |part: &str| {
            !part.is_empty() && part.chars().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit())
        };
        if self.name.len() > LONGEST_NAME || !self.name.split('-').all(fits) {
            let shown: String = self.name.chars().take(80).collect();
            Some(format!(
                "{shown:?} cannot be a skill's name: lower-case letters and digits are allowed, at most {LONGEST_NAME}, with single hyphens between"
            ))
        } else if self.description.trim().is_empty() {
            Some("its description is empty".to_owned())
        } else if self.description.chars().count() > LONGEST_DESCRIPTION {
            Some(format!("its description has more than {LONGEST_DESCRIPTION} characters"))
        } else {
            None
        }
    }
}

fn value(front: &[&str], name: &str) -> Option<String> {
    let place =
        front.iter().position(|line| line.strip_prefix(name).is_some_and(|it| it.starts_with(':')))?;
    let value = front[place][name.len() + 1..].trim();
    if value.is_empty() || value.starts_with(['|', '>']) {
        let block =
            front[place + 1..].iter().take_while(|line| line.starts_with([' ', '\t']) || line.is_empty());
        return Some(block.map(|line| line.trim()).collect::<Vec<_>>().join(" ").trim().to_owned());
    }
    let quoted = value.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    Some(match quoted {
        Some(inner) => serde_json::from_str(value).unwrap_or_else(|_| inner.to_owned()),
        None => value.strip_prefix('\'').and_then(|it| it.strip_suffix('\'')).unwrap_or(value).to_owned(),
    })
}
