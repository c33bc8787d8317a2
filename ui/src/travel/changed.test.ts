import { describe, expect, it } from "vitest";
import type { Conversation } from "../model/conversation";
import { EMPTY } from "../model/conversation";
import type { Entry } from "../model/entry";
import { changedThen } from "./changed";

const change = (seq: number, path: string, diff: string, status = "completed", done = true): Entry => ({
  kind: "item", key: `item:t:${seq}`, itemId: String(seq), seq, at: "2026-01-01T00:00:00.000Z", streamed: {}, done,
  item: { type: "fileChange", status, changes: [{ path, kind: { type: "update" }, diff }] },
});

const then = (entries: Entry[], changed: Conversation["changed"] = []): Conversation => ({
  ...EMPTY,
  settings: { cwd: "/w" } as Conversation["settings"],
  entries: new Map(entries.map((entry) => [entry.key, entry])),
  changed,
});

const DIFF = "@@ -1,1 +1,1 @@\n-one\n+two\n";

describe("what had changed", () => {
  it("has each change of a file in its order, and not what was declined or not yet made", () => {
    const files = changedThen(
      then([change(9, "/w/b.rs", DIFF), change(3, "/w/a.rs", DIFF), change(5, "/w/a.rs", "@@ -1,1 +1,1 @@\n-two\n+three\n"),
        change(6, "/w/no.rs", DIFF, "declined"), change(7, "/w/later.rs", DIFF, "inProgress", false)]),
    );
    expect(files.map(({ path, made }) => [path, made.map(({ diff }) => diff.hunks[0]?.changes.at(-1)?.content)])).toEqual([
      ["a.rs", ["two", "three"]],
      ["b.rs", ["two"]],
    ]);
    expect(files[0]).toMatchObject({ added: 2, removed: 2 });
  });

  it("goes by what the session counts, and names what only commands changed", () => {
    const files = changedThen(then([change(3, "/w/a.rs", DIFF)], [{ path: "a.rs", added: 1, removed: 0 }, { path: "z.lock", added: 40, removed: 2 }]));
    expect(files).toMatchObject([
      { path: "a.rs", added: 1, removed: 0 },
      { path: "z.lock", added: 40, removed: 2, made: [] },
    ]);
  });
});
