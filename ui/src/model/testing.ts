// What tests share: a session as the gateway lists it.
import type { SessionSummary } from "../api/types";

export const aSession = (more: Partial<SessionSummary> = {}): SessionSummary => ({
  id: "s",
  state: "idle",
  cwd: "/p/shop",
  backend: { kind: "codex" },
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
  last_seq: 1,
  queued: 0,
  usage: { input: 0, cached_input: 0, cache_write_input: 0, output: 0, reasoning_output: 0, total: 0 },
  ...more,
});
