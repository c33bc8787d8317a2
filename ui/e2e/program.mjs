// A program that a test starts: awaited until it says that it is ready, and ended, by its own process id, with the test.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as after } from "node:timers/promises";

/** How long one may take to be ready, or to end when it was asked to. */
const PATIENCE = 30_000;

export class Program {
  /** Starts it, and waits until what it prints matches; `said` is that match. */
  static async start(command, args, { ready, ...options }) {
    const program = new Program(spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], ...options }));
    program.said = await program.#until(ready, command);
    return program;
  }

  constructor(child) {
    this.child = child;
    this.output = "";
    this.errors = "";
    this.ended = once(child, "close");
    // Both are read to the end: a full pipe would stop it.
    child.stdout.setEncoding("utf8").on("data", (text) => (this.output += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (this.errors = (this.errors + text).slice(-8192)));
  }

  /** Asks it to end, insists if it does not, and waits. */
  async end() {
    this.child.kill("SIGINT");
    const late = new AbortController();
    const insist = after(PATIENCE, undefined, { signal: late.signal }).then(
      () => this.child.kill("SIGKILL"),
      () => {},
    );
    await this.ended;
    late.abort();
    await insist;
  }

  /** Ends it as a crash does. */
  async kill() {
    this.child.kill("SIGKILL");
    await this.ended;
  }

  async #until(ready, command) {
    const said = new Promise((resolve) => {
      const look = () => {
        const match = ready.exec(this.output);
        if (match) resolve(match);
      };
      this.child.stdout.on("data", look);
    });
    const gone = this.ended.then(([code, signal]) => `ended with ${signal ?? code}`);
    const late = new AbortController();
    const slow = after(PATIENCE, "did not get ready", { signal: late.signal }).catch(() => "");
    const first = await Promise.race([said, gone, slow]);
    late.abort();
    if (typeof first !== "string") return first;
    this.child.kill("SIGKILL");
    throw new Error(`${command} ${first}:\n${this.errors}`);
  }
}
