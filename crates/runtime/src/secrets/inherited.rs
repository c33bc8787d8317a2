//! Secrets that app-servers inherit: they need them, and nobody is shown them.

use std::ffi::OsString;

/// How the names of variables end that hold a secret.
const ENDINGS: [&str; 5] = ["_KEY", "_TOKEN", "_SECRET", "_PASSWORD", "_CREDENTIALS"];
/// A shorter value may be a word.
const SHORTEST: usize = 12;

/// The values of an environment that are secret, by their names.
pub(crate) fn inherited(environment: impl Iterator<Item = (OsString, OsString)>) -> Vec<String> {
    let environment =
        environment.filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let secret = |name: &str| ENDINGS.iter().any(|ending| name.to_ascii_uppercase().ends_with(ending));
    // Where a key lies is no secret.
    let found = environment
        .filter(|(name, value)| value.len() >= SHORTEST && !value.starts_with('/') && secret(name));
    found.map(|(_, value)| value).collect()
}

#[cfg(test)]
mod tests {
    use super::inherited;

    #[test]
    fn what_is_called_a_secret_is_one() {
        let environment = [
            ("OPENAI_API_KEY", "sk-of-openai-1"),
            ("SELVEDGE_TOKEN", "of-the-gateway"),
            ("db_password", "correct horse battery"),
            ("LEVEL_KEY", "short"),
            ("SSL_KEY", "/etc/ssl/private/key.pem"),
            ("PATH", "/usr/local/bin:/usr/bin"),
            ("KEYBOARD", "a very long name of a layout"),
        ];
        let said = environment.map(|(name, value)| (name.into(), value.into()));
        assert_eq!(
            inherited(said.into_iter()),
            ["sk-of-openai-1", "of-the-gateway", "correct horse battery"]
        );
    }
}
