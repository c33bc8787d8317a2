// The built `selvedge serve`, on the stand-in or on the real Codex behind a scripted model, with nothing of the person's own.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Program } from "./program.mjs";

const ROOT = join(import.meta.dirname, "..", "..");
/** Programs are started in other directories than ours. */
const SELVEDGE = resolve(process.env.SELVEDGE_BIN ?? join(ROOT, "target", "debug", "selvedge"));
const CODEX = process.env.SELVEDGE_CODEX_0_166_0 && resolve(process.env.SELVEDGE_CODEX_0_166_0);
/** What the scripted model answers, by words in a message: `[slow]`, `[command]` … */
const JUDGE = join(ROOT, "scenarios", "judge.toml");

/** What a case is played on: the real Codex only where there is one, which `cargo xtask test` looks after. */
export const BACKENDS = CODEX ? ["rehearsal", "codex"] : ["rehearsal"];

export class Gateway {
  /** On one of the backends; `scenario` and `args` for `serve` may be given. */
  static async start(backend = "rehearsal", { scenario = JUDGE, args = [] } = {}) {
    const gateway = new Gateway(backend, scenario, args);
    try {
      if (backend === "codex") await gateway.#startModel();
      await gateway.startAgain();
    } catch (error) {
      await gateway.end();
      throw error;
    }
    return gateway;
  }

  constructor(backend, scenario, args) {
    this.backend = backend;
    this.scenario = scenario;
    this.args = args;
    this.directory = mkdtempSync(join(tmpdir(), "selvedge-e2e-"));
    /** Where sessions work. */
    this.work = join(this.directory, "work");
    this.home = join(this.directory, "home");
    for (const made of [this.work, this.home]) mkdirSync(made);
  }

  /** Starts it, the first time or after `kill`: at the same port, with what it kept. */
  async startAgain() {
    const serve = ["serve", "--listen", `127.0.0.1:${this.port ?? 0}`, "--drain", "0"];
    const places = ["--data-dir", join(this.directory, "data"), "--codex-home", this.home];
    const ready = /listening on (http:\/\/127\.0\.0\.1:(\d+)) \(open \S+\?token=(\S+)\)\n/;
    const options = { ready, cwd: this.work, env: this.#environment() };
    this.program = await Program.start(SELVEDGE, [...serve, ...places, ...this.#codex(), ...this.args], options);
    [, this.url, this.port, this.token] = this.program.said;
  }

  /** Asks the API, as a program does. */
  async api(method, path, body) {
    const headers = { authorization: `Bearer ${this.token}`, "content-type": "application/json" };
    const answer = await fetch(this.url + path, { method, headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text ? JSON.parse(text) : undefined;
  }

  /** Makes a session with these fields beside its directory. */
  session(fields = {}) {
    return this.api("POST", "/v1/sessions", { cwd: this.work, ...fields });
  }

  /** Ends it as a crash does. `startAgain` goes on. */
  kill() {
    return this.program.kill();
  }

  async end() {
    await this.program?.end();
    await this.model?.end();
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 5 });
  }

  #codex() {
    // No login shell of this machine's user: what its files start is not what is tried here.
    const plain = ["--codex-config", "features.shell_snapshot=false"];
    return this.backend === "codex" ? ["--codex", CODEX, ...plain] : ["--codex", "rehearsal", "--scenario", this.scenario];
  }

  #environment() {
    const ours = Object.entries(process.env).filter(([name]) => !name.startsWith("SELVEDGE_") && name !== "JOURNAL_STREAM");
    return { ...Object.fromEntries(ours), HOME: this.home, CODEX_HOME: this.home };
  }

  /** The scripted model, and a configuration in Codex's home that leads to it. */
  async #startModel() {
    const ready = /# config\.toml in an empty CODEX_HOME:\n([^]*?)\n# or the same as flags/;
    const args = ["rehearse", "model", "--listen", "127.0.0.1:0", "--scenario", this.scenario];
    this.model = await Program.start(SELVEDGE, args, { ready, env: this.#environment() });
    writeFileSync(join(this.home, "config.toml"), this.model.said[1]);
  }
}
