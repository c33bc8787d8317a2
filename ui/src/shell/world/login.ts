// Whether Codex can work for somebody, in few words.
import type { Account, BackendFound } from "../../api/types";

interface Login {
  words: string;
  tone: "quiet" | "bad";
}

const KINDS: Record<string, string> = { apiKey: "API key", chatgpt: "ChatGPT" };

export function loginWords(backend: BackendFound, account: Account | undefined): Login {
  if (!backend.found) return { words: "", tone: "quiet" };
  if (backend.kind === "rehearsal") return { words: "no model is asked", tone: "quiet" };
  if (!account) return { words: "", tone: "quiet" };
  if (account.logged_in) {
    const kind = account.kind ? (KINDS[account.kind] ?? account.kind) : undefined;
    return { words: [account.email ?? kind, account.plan].filter(Boolean).join(" · ") || "logged in", tone: "quiet" };
  }
  return account.login_needed ? { words: "not logged in: run codex login", tone: "bad" } : { words: "own provider", tone: "quiet" };
}
