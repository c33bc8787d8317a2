import { describe, expect, it } from "vitest";
import { highlight } from "../code/highlight";
import { languageOf } from "../code/language";
import { inOrder, treeOf } from "../conversation/changes/tree";
import { coloursOf } from "./colours";
import { linesOf, roomFor, shownAtFirst } from "./line";
import { parseChange, parseDiff } from "./parse";
import { beside, neighbour, piecesOf, rowsOf } from "./rows";

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
    const [file] = files;
    if (!file) throw new Error("there is a file");
    const lines = linesOf(file);
    const [head, ...pairs] = rowsOf(file, lines, 5, "split");
    expect(head?.head).toBe("@@ -1,3 +1,4 @@");
    expect(pairs.map(({ cells }) => cells.map((at) => (at === undefined ? undefined : lines[at]?.text)))).toEqual([
      ["one", "one"],
      ["two", "zwei"],
      [undefined, "drei"],
      ["four", "four"],
    ]);
    // Down stays in its column, or takes what there is.
    expect(neighbour(pairs, 1, 1)).toBe(3);
    expect(neighbour(pairs, 2, 1)).toBe(3);
    expect(neighbour(pairs, 0, -1)).toBeUndefined();
    expect([beside(pairs, 1), beside(pairs, 2), beside(pairs, 3)]).toEqual([2, 1, undefined]);
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

it("shows the beginning of a long diff, in pieces of its lines", () => {
  const file = parseChange({ path: "a", kind: "add", diff: "x\n".repeat(1_000) });
  const lines = linesOf(file);
  expect(shownAtFirst(lines.length, 400)).toBe(400);
  expect(shownAtFirst(lines.length, 900)).toBe(1_000);
  const pieces = piecesOf(rowsOf(file, lines, 400, "unified"));
  expect(pieces.map(({ from, to }) => [from, to]).slice(0, 2)).toEqual([[0, 80], [80, 160]]);
  expect(pieces.at(-1)?.to).toBe(400);
});

it("knows how much room lines need", () => {
  expect(roomFor(linesOf(parseChange({ path: "a", kind: "add", diff: "\tab\nx\n" })))).toEqual({ digits: 1, letters: 6 });
});

describe("the colours of a diff", () => {
  const colours = (diff: string, from: number, to: number) => {
    const lines = linesOf(parseChange({ path: "a.ts", kind: "update", diff }));
    const found = coloursOf(lines, from, to, "ts", highlight);
    const told = (at: number) => (found.get(at) ?? []).map(({ text, classes }) => `${text}|${classes ?? ""}`);
    return { found, told };
  };

  it("are those of what was and of what is, each for itself", () => {
    const { told } = colours("@@ -1,2 +1,2 @@\n-/* a\n+const b = 1;\n after\n", 0, 3);
    expect(told(0)).toEqual(["/* a|hljs-comment"]);
    expect(told(1)[0]).toBe("const|hljs-keyword");
    expect(told(2)).toEqual(["after|"]);
  });

  it("go on where a piece begins in the middle of a comment, and not from hunk to hunk", () => {
    const { found, told } = colours("@@ -0,0 +1,3 @@\n+/* a\n+b\n+c\n@@ -9,0 +9,1 @@\n+let d;\n", 1, 4);
    expect(found.has(0)).toBe(false);
    expect(told(1)).toEqual(["b|hljs-comment"]);
    expect(told(3)[0]).toBe("let|hljs-keyword");
  });

  it("are none for a language that nobody knows", () => {
    expect(coloursOf(linesOf(parseChange({ path: "a", kind: "add", diff: "x\n" })), 0, 1, "klingon", highlight).size).toBe(0);
    expect([languageOf("src/a.rs"), languageOf("Makefile"), languageOf("LICENSE"), languageOf(".gitignore")]).toEqual(["rs", "makefile", undefined, undefined]);
  });
});
