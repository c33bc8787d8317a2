// What is asked and what an answer means, in plain words.
import type { ApprovalKind, Decision } from "../../api/types";
import { type Fields, fieldsOf, listOf, textOf } from "../../lib/fields";
import { otherSender } from "../../lib/sender";
import { commandRequest, questionsOf } from "./request";

export function titleOf(kind: ApprovalKind, request: Fields): string {
  switch (kind) {
    case "command": {
      const { host, isInput } = commandRequest(request);
      if (host) return `Reach ${host.name}?`;
      return isInput ? "Type into a running command?" : "Run this command?";
    }
    case "file_change":
      return "Change these files?";
    case "permissions":
      return "Give these permissions?";
    case "user_input":
      return questionsOf(request).length === 1 ? "A question for you" : "Questions for you";
    case "elicitation":
      return textOf(request["title"]) ?? `${textOf(request["serverName"]) ?? "A tool"} asks you`;
  }
}

/** What it is about, in one line. */
export function gist(kind: ApprovalKind, request: Fields): string {
  if (kind === "command") return commandRequest(request).command ?? titleOf(kind, request);
  if (kind === "file_change") return textOf(request["reason"]) ?? "a change of files";
  if (kind === "permissions") return textOf(request["reason"]) ?? "permissions";
  if (kind === "user_input") return questionsOf(request)[0]?.question ?? titleOf(kind, request);
  return textOf(request["message"]) ?? titleOf(kind, request);
}

export interface Offer {
  accept: string;
  /** What "for session" would mean; nothing if it is not offered. */
  session: string | undefined;
  /** What "cancel" is called; nothing if it is not offered. */
  cancel: { label: string; means: string } | undefined;
}

const END_TURN = { label: "Cancel turn", means: "Say no, and end the turn" };
const DISMISS = { label: "Cancel", means: "Close the question without an answer" };

/** What may be answered: the gateway refuses anything else. */
export function offerOf(kind: ApprovalKind, request: Fields): Offer {
  switch (kind) {
    case "command":
      return { accept: "Accept", session: SESSION.command, cancel: END_TURN };
    case "file_change":
      return { accept: "Accept", session: SESSION.file_change, cancel: END_TURN };
    case "permissions":
      return { accept: "Allow for this turn", session: SESSION.permissions, cancel: undefined };
    case "user_input":
      return { accept: "Answer", session: undefined, cancel: undefined };
    case "elicitation":
      return { accept: acceptWord(request), session: lasts(request) ? SESSION.elicitation : undefined, cancel: DISMISS };
  }
}

const SESSION: Record<Exclude<ApprovalKind, "user_input">, string> = {
  command: "the same command runs again without asking, until this session's Codex ends.",
  file_change: "Codex changes these files again without asking, until this session's Codex ends.",
  permissions: "these permissions stay, until this session's Codex ends.",
  elicitation: "this tool is called again without asking, until this session's Codex ends.",
};

const acceptWord = (request: Fields): string => (request["mode"] === "url" ? "I have done it" : "Accept");

const lasts = (request: Fields): boolean => {
  const persist = fieldsOf(request["_meta"])["persist"];
  return listOf(persist).includes("session");
};

const DECIDED: Record<Decision, string> = {
  accept: "Accepted",
  accept_for_session: "Accepted for the session",
  decline: "Declined",
  cancel: "Cancelled",
  expired: "Not answered in time",
};

export const decided = (decision: string): string => DECIDED[decision as Decision] ?? decision;

const DECIDERS: Record<string, string> = {
  policy: "by the session's policy",
  timeout: "because nobody answered in time",
  codex: "because its turn ended",
};

/** `by` is the name of who answered and the surface they used. */
export function deciderOf(by: string, mine: boolean): string {
  if (mine) return "by you";
  const [name, surface] = by.split("/");
  if (surface && !otherSender(by)) return "in another window or program";
  return DECIDERS[by] ?? (surface ? `by ${name} (${surface})` : `by ${by}`);
}
