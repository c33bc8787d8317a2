// An agent with a tool of your own: the gateway runs the agent, this program runs the tool.
//
//     SELVEDGE_TOKEN=… node tool.mts "Is article A in stock?"
//
// Node.js 22.18 or newer, which runs TypeScript as it is; nothing to install. The gateway is at http://127.0.0.1:7433,
// unless SELVEDGE_URL says another.

import { randomUUID } from "node:crypto";
import { argv, cwd, env, exit } from "node:process";
import { setTimeout as pause } from "node:timers/promises";

type Event = { seq: number; type: string; data: any };
type Call = { tool_call_id: string; tool: string; arguments: any };
type Problem = { status: number; code: string; detail: string; hint?: string };

class Refused extends Error {
  problem: Problem;

  constructor(problem: Problem) {
    super(`${problem.detail}\nhint: ${problem.hint ?? "docs/errors.md"}`);
    this.problem = problem;
  }
}

const gateway = env.SELVEDGE_URL ?? "http://127.0.0.1:7433";
const stock: Record<string, number> = { A: 3, B: 0 };

const tools: Record<string, (given: any) => string> = {
  lookup({ id }: { id: string }) {
    if (!(id in stock)) throw new Error(`there is no article ${id}`);
    return `There are ${stock[id]} of article ${id}.`;
  },
};
const descriptions = [
  {
    name: "lookup",
    description: "Looks up how many of an article are in stock.",
    input_schema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
    timeout_seconds: 60,
  },
];

async function main(question: string): Promise<number> {
  const session = await post("/v1/sessions", { cwd: cwd(), tools: descriptions });
  await post(`/v1/sessions/${session.id}/messages`, { text: question });
  for await (const { type, data } of events(session.id)) {
    if (type === "tool.requested") await answer(data);
    if (type === "message.finished") {
      console.log(data.text);
      return data.status === "completed" ? 0 : 1;
    }
  }
  return 1;
}

/** Runs a tool, and tells the agent what came of it: an error too is something to go on with. */
async function answer(call: Call): Promise<void> {
  let [success, text] = [true, ""];
  try {
    text = tools[call.tool](call.arguments);
  } catch (error) {
    [success, text] = [false, String(error)];
  }
  try {
    await post(`/v1/tool-calls/${call.tool_call_id}`, { success, content: [{ type: "text", text }] });
  } catch (error) {
    const late = error instanceof Refused && error.problem.status === 409; // its time was over, or its turn has ended
    if (!late) throw error;
  }
}

/** What happens in a session: each event once and in order, however often the connection breaks. */
async function* events(session: string): AsyncGenerator<Event> {
  let last = 0;
  for (;;) {
    try {
      const headers = { accept: "text/event-stream", "last-event-id": `${last}` };
      const stream = await ask(`/v1/sessions/${session}/events`, { headers });
      let rest = "";
      for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop()!;
        for (const line of lines.filter((line) => line.startsWith("data: "))) {
          const event: Event = JSON.parse(line.slice("data: ".length));
          last = event.seq;
          yield event;
        }
      }
    } catch (broken) {
      await wait(broken);
    }
  }
}

/** Has something done. It may be said again when a connection broke: the key makes sure that it is done once. */
async function post(path: string, body: object): Promise<any> {
  const headers = { "content-type": "application/json", "idempotency-key": randomUUID() };
  for (;;) {
    try {
      return await (await ask(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
    } catch (broken) {
      await wait(broken);
    }
  }
}

async function ask(path: string, init: RequestInit): Promise<Response> {
  const headers = { authorization: `Bearer ${env.SELVEDGE_TOKEN ?? ""}`, ...init.headers };
  const response = await fetch(gateway + path, { ...init, headers });
  if (!response.ok) throw new Refused(await response.json());
  return response;
}

/** `fetch` calls a connection that failed or broke a `TypeError`; anything else is not mended by waiting. */
async function wait(broken: unknown): Promise<void> {
  if (!(broken instanceof TypeError)) throw broken;
  console.error(`no connection to ${gateway} (${broken.cause ?? broken.message}); trying again`);
  await pause(1000);
}

main(argv[2] ?? "Is article A in stock?").then(exit, (error) => {
  console.error(error instanceof Refused ? error.message : error);
  exit(1);
});
