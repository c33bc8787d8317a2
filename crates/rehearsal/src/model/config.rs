//! The configuration that points a real Codex at the scripted model, and at nothing else.

use std::fmt::Write as _;

/// A model that calls each tool by its own name.
pub const CLASSIC_MODEL: &str = "gpt-5.5";
/// A model that calls tools by scripts for the one tool `exec`.
pub const CODE_MODE_MODEL: &str = "gpt-6.1-sol";

/// What a test or a person may choose about the Codex that talks to the scripted model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodexSettings {
    /// The model's slug: it decides which tools Codex offers.
    pub model: String,
    /// `on-request` or `never`; 0.166 does not start with `untrusted` here, but takes it in `thread/start`.
    pub approval_policy: String,
    /// `read-only`, `workspace-write` or `danger-full-access`.
    pub sandbox_mode: String,
    /// How often Codex tries again, for requests and for streams.
    pub retries: u32,
    /// Further settings: dotted key and TOML value.
    pub extra: Vec<(String, String)>,
}

impl Default for CodexSettings {
    fn default() -> Self {
        Self {
            model: CLASSIC_MODEL.into(),
            approval_policy: "on-request".into(),
            sandbox_mode: "workspace-write".into(),
            retries: 0,
            extra: Vec::new(),
        }
    }
}

impl CodexSettings {
    /// The defaults, with a code-mode model.
    pub fn code_mode() -> Self {
        Self { model: CODE_MODE_MODEL.into(), ..Self::default() }
    }

    /// The same with one more setting: a dotted key and its TOML value.
    #[must_use]
    pub fn with(mut self, key: &str, value: &str) -> Self {
        self.extra.push((key.into(), value.into()));
        self
    }

    /// The `config.toml` for this base URL. Every key is dotted, so that the order does not matter.
    pub fn config_toml(&self, base_url: &str) -> String {
        let mut text = String::from("# Points Codex at the scripted model; nothing leaves this machine.\n");
        for (key, value) in self.settings(base_url) {
            let _infallible = writeln!(text, "{key} = {value}");
        }
        text
    }

    /// The same as arguments: `-c`, `key=value`, …
    pub fn flags(&self, base_url: &str) -> Vec<String> {
        let pairs = self.settings(base_url).into_iter();
        pairs.flat_map(|(key, value)| ["-c".to_owned(), format!("{key}={value}")]).collect()
    }

    fn settings(&self, base_url: &str) -> Vec<(String, String)> {
        let retries = self.retries.to_string();
        let chosen = [
            ("model", quoted(&self.model)),
            ("approval_policy", quoted(&self.approval_policy)),
            ("sandbox_mode", quoted(&self.sandbox_mode)),
            ("model_providers.rehearsal.base_url", quoted(base_url)),
            ("model_providers.rehearsal.request_max_retries", retries.clone()),
            ("model_providers.rehearsal.stream_max_retries", retries),
        ];
        let chosen = chosen.into_iter().map(|(key, value)| (key.to_owned(), value));
        let fixed = FIXED.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        let ours = chosen.chain(fixed).filter(|(key, _)| !self.extra.iter().any(|(extra, _)| extra == key));
        ours.chain(self.extra.iter().cloned()).collect()
    }
}

/// What every rehearsal wants: no other network, no waiting, every tool that can be rehearsed.
const FIXED: &[(&str, &str)] = &[
    ("model_provider", "\"rehearsal\""),
    ("model_providers.rehearsal.name", "\"Rehearsal\""),
    ("model_providers.rehearsal.wire_api", "\"responses\""),
    ("model_providers.rehearsal.requires_openai_auth", "false"),
    ("model_providers.rehearsal.supports_websockets", "false"),
    ("model_providers.rehearsal.stream_idle_timeout_ms", "300000"),
    ("check_for_update_on_startup", "false"),
    ("cli_auth_credentials_store", "\"file\""),
    ("analytics.enabled", "false"),
    ("feedback.enabled", "false"),
    ("features.plugins", "false"),
    ("features.apps", "false"),
    // Else 0.98 asks its maker's servers for models at the start of each thread, and waits three seconds for them.
    ("features.remote_models", "false"),
    ("features.unbounded_connection_retries", "false"),
    ("sandbox_workspace_write.exclude_slash_tmp", "true"),
    ("sandbox_workspace_write.exclude_tmpdir_env_var", "true"),
    ("tools.update_plan.enabled", "true"),
];

fn quoted(text: &str) -> String {
    // A JSON string is a TOML string too.
    serde_json::Value::String(text.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    use super::CodexSettings;

    #[test]
    fn the_configuration_is_toml_and_says_what_was_chosen() {
        let settings = CodexSettings::default()
            .with("model_auto_compact_token_limit", "10000")
            .with("features.apps", "true");
        let text = settings.config_toml("http://127.0.0.1:1/v1");
        let table: toml::Table = toml::from_str(&text).unwrap();
        assert_eq!(table["model"].as_str(), Some("gpt-5.5"));
        assert_eq!(table["model_auto_compact_token_limit"].as_integer(), Some(10000));
        assert_eq!(table["features"]["apps"].as_bool(), Some(true));
        assert_eq!(table["model_providers"]["rehearsal"]["base_url"].as_str(), Some("http://127.0.0.1:1/v1"));
        assert!(settings.flags("x").contains(&"model_provider=\"rehearsal\"".to_owned()));
    }
}
