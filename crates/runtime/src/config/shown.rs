//! A configuration as it is debugged. What others read from it may hold tokens and keys: of that, only the names are shown.

use std::fmt::{Debug, Formatter, Result};

use serde_json::{Map, Value};

use super::Config;

impl Debug for Config {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        let mut shown = out.debug_struct("Config");
        macro_rules! fields {
            ($($name:ident),+) => {$(shown.field(stringify!($name), $name);)+};
        }
        // Each by its name, so that a new one is thought about.
        let Self {
            data_dir,
            codex,
            codex_home,
            codex_config,
            allow_roots,
            cwd,
            model,
            effort,
            approval_policy,
            sandbox,
            durability,
            max_journal_bytes,
            max_sessions,
            max_queued_messages,
            retain_days,
            prices,
            restarts,
            limits,
            threads_per_process,
            keep_warm,
            idle_seconds,
            relay,
            record,
            recordings,
            login,
            introduction,
            hidden,
            rehearsal,
            serve,
            agents,
            gateway,
            tools_at,
        } = self;
        fields!(
            allow_roots,
            data_dir,
            codex,
            codex_home,
            cwd,
            model,
            effort,
            approval_policy,
            sandbox,
            durability
        );
        fields!(max_journal_bytes, max_sessions, max_queued_messages, retain_days, prices, restarts, limits);
        fields!(threads_per_process, keep_warm, idle_seconds, relay, record, recordings, login, introduction);
        fields!(rehearsal, tools_at, hidden);
        shown.field("codex_config", &Keys(codex_config));
        for (name, told) in [("serve", serve), ("agents", agents), ("gateway", gateway)] {
            shown.field(name, &Names(told));
        }
        shown.finish()
    }
}

/// The names in a table, at every depth.
struct Names<'a>(&'a Map<String, Value>);

impl Debug for Names<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        let mut names = out.debug_map();
        for (name, value) in self.0 {
            match value {
                Value::Object(inner) => names.entry(name, &Names(inner)),
                _ => names.entry(name, &Withheld),
            };
        }
        names.finish()
    }
}

/// What stands before `=`.
struct Keys<'a>(&'a [String]);

impl Debug for Keys<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        out.debug_list()
            .entries(self.0.iter().map(|said| said.split('=').next().unwrap_or_default()))
            .finish()
    }
}

struct Withheld;

impl Debug for Withheld {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        out.write_str("…")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_secret_is_shown_by_its_name() {
        let config: Config = toml::from_str(
            r#"
            model = "gpt"
            codex_config = ["model_providers.own.http_headers.x=secret-1"]
            [serve]
            token = "secret-2"
            [agents.helper]
            env.KEY = "secret-3"
            peers.other = { url = "https://secret-4@example.org", token = "secret-5" }
            skills = [{ id = "secret-6" }]
            [gateway]
            token = "secret-7"
            "#,
        )
        .unwrap();
        for shown in [format!("{config:?}"), format!("{config:#?}")] {
            assert!(!shown.contains("secret"), "{shown}");
            for name in ["gpt", "http_headers", "serve", "helper", "KEY", "other", "skills", "gateway"] {
                assert!(shown.contains(name), "{name} in {shown}");
            }
        }
    }
}
