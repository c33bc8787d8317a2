#!/bin/sh
# Says which settings there are, by their names and never their values, looks whether Codex can work, and starts the agent.
set -eu
# Not by `env`: a line of a value looks like a name there.
names="$(awk 'BEGIN { for (name in ENVIRON) if (name ~ /^(SELVEDGE|OPENAI|CODEX)_/) print name }' | sort | tr '\n' ' ')"
echo "settings: $names" >&2
command -v codex > /dev/null || { echo "there is no codex in this image" >&2; exit 3; }
home="${SELVEDGE_CODEX_HOME:-${CODEX_HOME:-$HOME/.codex}}"
# The login of a ChatGPT account, as `codex login` wrote it elsewhere. Codex renews it, so one that is there already is newer.
if [ -n "${CODEX_AUTH_JSON:-}" ] && [ ! -s "$home/auth.json" ]; then
  (umask 077 && mkdir -p "$home" && printenv CODEX_AUTH_JSON > "$home/auth.json")
fi
unset CODEX_AUTH_JSON
if [ -z "${OPENAI_API_KEY:-}" ] && [ ! -s "$home/auth.json" ]; then
  echo "Codex is not logged in: tasks will wait with TASK_STATE_AUTH_REQUIRED" >&2
  echo "hint: set OPENAI_API_KEY or CODEX_AUTH_JSON, or run 'codex login' in the container" >&2
fi
exec selvedge-entrypoint "$@"
