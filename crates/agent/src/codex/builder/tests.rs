//! Defaults that Codex does not hear of; the others: `tests/testing/defaults.rs`.

use super::*;

#[test]
fn what_is_not_said_is_the_reference_s_default() {
    let CodexBuilder { config, cwd, data_dir, options } = CodexBuilder::default();
    assert_eq!(config.codex, None, "codex_bin: the one on the PATH");
    assert_eq!((cwd, options.env.len(), options.mcp_servers.len()), (None, 0, 0));
    assert_eq!(config.limits.initialize, 10, "startup_timeout_s");
    assert_eq!((config.login, options.reuse_thread, options.ephemeral), (None, false, false));
    assert_eq!((config.codex_home, data_dir, options.approver.is_some()), (None, None, false));
    assert_eq!(options.kill_after, Duration::from_secs(12));
}

#[test]
fn a_start_has_at_least_a_second() {
    let builder = CodexBuilder::default().startup_timeout(Duration::from_millis(1));
    assert_eq!(builder.config.limits.initialize, 1);
}
