import { describe, expect, it } from "vitest";
import { aSession } from "../../model/testing";
import type { KnownSession } from "../known";
import { matches, projects } from "./groups";

const session = (id: string, more: Partial<KnownSession> = {}): KnownSession => aSession({ id, cwd: `/srv/eva/${id}`, ...more });

describe("the sidebar's list", () => {
  it("has the project with the newest activity first, and its sessions in that order", () => {
    const found = projects([
      session("a", { cwd: "/p/one", updated_at: "2026-01-01T00:00:00.000Z" }),
      session("b", { cwd: "/p/two", updated_at: "2026-01-02T00:00:00.000Z" }),
      session("c", { cwd: "/p/one", updated_at: "2026-01-03T00:00:00.000Z" }),
    ]);
    expect(found.map(({ name, sessions }) => [name, sessions.map(({ id }) => id)])).toEqual([
      ["one", ["c", "a"]],
      ["two", ["b"]],
    ]);
  });

  it("keeps a worktree with its repository", () => {
    const found = projects([session("a", { cwd: "/p/one" }), session("b", { cwd: "/data/worktrees/b", repository: "/p/one" })]);
    expect(found).toHaveLength(1);
    expect(found[0]?.name).toBe("one");
  });

  it("tells projects of one name apart", () => {
    const found = projects([session("a", { cwd: "/x/app" }), session("b", { cwd: "/y/app" })]);
    expect(found.map(({ name }) => name)).toEqual(["x/app", "y/app"]);
  });
});

describe("the search", () => {
  const it_ = session("a", { cwd: "/p/shop", labels: { team: "blue" }, git: { branch: "feature/login", ahead: 0, behind: 0, dirty: false, lines_added: 0, lines_removed: 0 } });

  it("looks at name, path, branch and labels, and needs every word", () => {
    for (const query of ["", "FORM", "shop", "login", "team:blue", "form login"]) expect(matches(it_, "A form", query), query).toBe(true);
    expect(matches(it_, "A form", "form logout")).toBe(false);
  });
});
