//! A version of Codex that was never tried with this one of ours.

use selvedge_client::JUDGED;
use selvedge_session::{Code, Heard};

/// That nobody has tried this version. It is used all the same.
pub(super) fn warning(version: Option<&str>) -> Option<Heard> {
    let version = version.unwrap_or("of no known version");
    let code = Code::CodexUnjudged;
    (!JUDGED.contains(&version)).then(|| Heard::Warning {
        code,
        message: format!("Codex {version} was never tried with this version of Selvedge, which goes by what it says it can do"),
        hint: Some(format!("tried are {}", JUDGED.join(", "))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_tried_is_warned_of() {
        for judged in JUDGED {
            assert!(warning(Some(judged)).is_none(), "{judged}");
        }
        for other in [Some("0.99.0"), Some("9.0.0-future"), None] {
            let Some(Heard::Warning { code, message, hint }) = warning(other) else { panic!("{other:?}") };
            assert_eq!(code, Code::CodexUnjudged);
            assert!(message.contains(other.unwrap_or("no known version")), "{message}");
            assert!(hint.is_some_and(|hint| hint.contains("0.166.0")));
        }
    }
}
