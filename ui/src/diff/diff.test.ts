import { describe, expect, it } from "vitest";
import { inOrder, treeOf } from "../conversation/changes/tree";
import { foldHunks } from "./fold";
import { parseChange, parseDiff } from "./parse";
import { pairsOf } from "./sides";

const GIT = `diff --git a/src/a.rs b/src/a.rs
index 1111111..2222222 100644
--- a/src/a.rs
+++ b/src/a.rs
@@ -1,3 +1,4 @@
 one
-two
+zwei
+drei
 four
diff --git a/old name.txt b/new name.txt
similarity index 100%
rename from old name.txt
rename to new name.txt
diff --git a/logo.png b/logo.png
new file mode 100644
index 0000000..3333333
Binary files /dev/null and b/logo.png differ
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
index 3333333..0000000
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-bye
`;

describe("a diff of git", () => {
  const files = parseDiff(GIT);

  it("is told file by file", () => {
    expect(files.map(({ path, kind, added, removed, binary }) => ({ path, kind, added, removed, binary }))).toEqual([
      { path: "src/a.rs", kind: "changed", added: 2, removed: 1, binary: false },
      { path: "new name.txt", kind: "renamed", added: 0, removed: 0, binary: false },
      { path: "logo.png", kind: "added", added: 0, removed: 0, binary: true },
      { path: "gone.txt", kind: "removed", added: 0, removed: 1, binary: false },
    ]);
    expect(files[1]?.from).toBe("old name.txt");
  });

  it("is empty if nothing changed", () => expect(parseDiff("\n")).toEqual([]));

  it("stands side by side with what took the place", () => {
    const pairs = pairsOf(files[0]?.hunks[0] ?? { content: "", oldStart: 0, newStart: 0, oldLines: 0, newLines: 0, changes: [] });
    expect(pairs.map(([before, after]) => [before?.content, after?.content])).toEqual([
      ["one", "one"],
      ["two", "zwei"],
      [undefined, "drei"],
      ["four", "four"],
    ]);
  });

  it("is a tree in which lonely folders are joined", () => {
    const tree = treeOf([...files, ...parseDiff(GIT.replaceAll("src/a.rs", "src/deep/er/b.rs"))]);
    expect(tree.folders.map((folder) => folder.name)).toEqual(["src"]);
    expect(tree.folders[0]?.folders.map((folder) => folder.name)).toEqual(["deep/er"]);
    expect(inOrder(tree)[0]?.path).toBe("src/deep/er/b.rs");
  });
});

describe("a change of Codex", () => {
  it("is the text of a new file", () => {
    const file = parseChange({ path: "a", kind: "add", diff: "one\ntwo\n" });
    expect(file).toMatchObject({ kind: "added", added: 2, removed: 0 });
    expect(parseChange({ path: "a", kind: { type: "delete" }, diff: "one\n" })).toMatchObject({ kind: "removed", removed: 1 });
  });

  it("is hunks without a head for one that changed", () => {
    const file = parseChange({ path: "a", kind: "update", diff: "@@ -1,2 +1,2 @@\n first\n-second\n+changed\n" });
    expect(file).toMatchObject({ kind: "changed", added: 1, removed: 1 });
    expect(parseChange({ path: "a", kind: { type: "update", move_path: "b" }, diff: "" })).toMatchObject({ kind: "renamed", path: "b", from: "a" });
  });
});

it("folds a long diff to its beginning, and says how much more there is", () => {
  const { hunks } = parseChange({ path: "a", kind: "add", diff: "x\n".repeat(100) });
  const folded = foldHunks(hunks, 40);
  expect(folded.more).toBe(60);
  expect(folded.hunks[0]?.changes).toHaveLength(40);
  expect(foldHunks(hunks, 90).more).toBe(0);
});
