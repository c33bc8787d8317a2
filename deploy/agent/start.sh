#!/bin/sh
# Says which settings there are, by their names and never their values, looks whether Codex can work, and starts the agent.
set -eu
echo "settings: $(env | cut -d= -f1 | grep -E '^(SELVEDGE_|OPENAI_|CODEX_)' | sort | tr '\n' ' ')" >&2
command -v codex > /dev/null || { echo "there is no codex in this image" >&2; exit 3; }
home="${SELVEDGE_CODEX_HOME:-${CODEX_HOME:-$HOME/.codex}}"
if [ -z "${OPENAI_API_KEY:-}" ] && [ ! -s "$home/auth.json" ]; then
  echo "Codex is not logged in: tasks will wait with TASK_STATE_AUTH_REQUIRED" >&2
  echo "hint: set OPENAI_API_KEY, or run 'codex login' in the container" >&2
fi
exec /usr/local/bin/selvedge-entrypoint "$@"
