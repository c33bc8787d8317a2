import { beforeEach, describe, expect, it } from "vitest";
import { Refused } from "../../api/client";
import { type Choices, lastChoices, plainPath, rememberChoices, requestOf } from "./choices";
import { faultsOf } from "./faults";

beforeEach(() => localStorage.clear());
const chosen = (change: Partial<Choices>): Choices => ({ ...lastChoices(), cwd: "/p/one/", ...change });

describe("a new session", () => {
  it("is asked for with what was chosen, and nothing else", () => {
    expect(requestOf(chosen({}))).toEqual({ cwd: "/p/one", permission_mode: "default", sandbox: "workspace-write", busy_policy: "queue" });
    expect(requestOf(chosen({ worktree: " fix ", model: "m", effort: "high", instructions: "x", backend: "rehearsal" }))).toMatchObject({
      worktree: "fix",
      model: "m",
      effort: "high",
      developer_instructions: "x",
      backend: "rehearsal",
    });
  });

  it("has the labels that were given, and the next one has none of them", () => {
    const labelled = chosen({ labels: { team: "blue" } });
    expect(requestOf(labelled).labels).toEqual({ team: "blue" });
    rememberChoices(labelled);
    expect(lastChoices().labels).toEqual({});
  });

  it("is called by its name, else by the first words said to it", () => {
    expect(requestOf(chosen({ message: "Fix the login\nand more" })).name).toBe("Fix the login");
    expect(requestOf(chosen({ message: "Fix the login", name: "Mine" })).name).toBe("Mine");
  });

  it("begins with the last choices, but not with what belonged to one session", () => {
    rememberChoices(chosen({ mode: "plan", message: "hi", worktree: "w", name: "n" }));
    expect(lastChoices()).toMatchObject({ cwd: "/p/one/", mode: "plan", message: "", worktree: "", name: "" });
  });

  it("keeps the root a path", () => {
    expect([plainPath("/"), plainPath("/a/b//"), plainPath(" /a ")]).toEqual(["/", "/a/b", "/a"]);
  });
});

describe("what was refused", () => {
  const refused = (field: string | undefined, detail = "it is wrong", hint?: string) =>
    new Refused({ code: "x", title: "x", detail, status: 400, field: field ?? null, hint: hint ?? null });

  it("stands at the field it is about, with what to do", () => {
    expect(faultsOf(refused("cwd", "not under a root", "see --allow-root"))).toEqual({ cwd: "Not under a root. See --allow-root." });
    expect(faultsOf(refused("permission_mode"))).toHaveProperty("mode");
    expect(faultsOf(refused(undefined))).toHaveProperty("form");
    expect(faultsOf(refused("worktree", "git refused: no"))).toHaveProperty("worktree");
  });
});
