// Every request of the page: one function, and one kind of error that says what to do.
import type { Problem } from "./types";

/** What the gateway refused, in its own words. */
export class Refused extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly field: string | undefined;
  readonly status: number;

  constructor(problem: Problem) {
    super(problem.detail || problem.title);
    this.name = "Refused";
    this.code = problem.code;
    this.hint = problem.hint ?? undefined;
    this.field = problem.field ?? undefined;
    this.status = problem.status;
  }
}

/** The gateway could not be reached at all. */
export class Unreachable extends Error {
  readonly hint = "the gateway may be restarting; what you wrote is kept";

  constructor() {
    super("the gateway does not answer");
    this.name = "Unreachable";
  }
}

type Method = "GET" | "POST" | "PATCH" | "DELETE";

interface Request {
  body?: unknown;
  /** The same key gives the same answer, once: what is sent again after a broken connection is not done twice. */
  key?: string;
  signal?: AbortSignal;
}

export async function ask<Answer>(method: Method, path: string, request: Request = {}): Promise<Answer> {
  const headers: Record<string, string> = { accept: "application/json" };
  if (request.body !== undefined) headers["content-type"] = "application/json";
  if (request.key) headers["idempotency-key"] = request.key;
  const init: RequestInit = { method, headers, credentials: "same-origin" };
  if (request.body !== undefined) init.body = JSON.stringify(request.body);
  if (request.signal) init.signal = request.signal;
  // It may go away in the middle of its answer, too.
  const away = (error: unknown) => {
    throw request.signal?.aborted ? error : new Unreachable();
  };
  const response = await fetch(path, init).catch(away);
  if (!response.ok) throw await refusal(response);
  const text = await response.text().catch(away);
  return (text ? JSON.parse(text) : undefined) as Answer;
}

/** The text of an answer that is not JSON, such as a diff. */
export async function askText(path: string, signal?: AbortSignal): Promise<string> {
  const response = await fetch(path, { credentials: "same-origin", ...(signal ? { signal } : {}) });
  if (!response.ok) throw await refusal(response);
  return response.text();
}

export async function refusal(response: Response): Promise<Refused> {
  const nothing: Problem = {
    code: "internal",
    title: response.statusText,
    detail: `the gateway answered ${response.status}`,
    status: response.status,
  };
  try {
    return new Refused({ ...nothing, ...((await response.json()) as Partial<Problem>) });
  } catch {
    return new Refused(nothing);
  }
}

/** A key for one thing that a person does. */
export const newKey = (): string => crypto.randomUUID();
