#!/bin/sh
# Logs Codex in with the key from the environment, and then forgets it: no agent inherits it.
set -eu
export CODEX_HOME="${SELVEDGE_CODEX_HOME:-${CODEX_HOME:-$HOME/.codex}}"
if [ -n "${OPENAI_API_KEY:-}" ]; then
  printenv OPENAI_API_KEY | codex login --with-api-key >&2
fi
unset OPENAI_API_KEY
# tini reaps what agents leave behind. It begins here, for the first process's environment can be read as long as it runs.
exec tini -- selvedge "$@"
