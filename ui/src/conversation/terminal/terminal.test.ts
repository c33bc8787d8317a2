import { describe, expect, it } from "vitest";
import { overwritten, plain, runsOf } from "./ansi";
import { innerCommand } from "./command";
import { GLANCE, READING, tailOf } from "./tail";

describe("terminal output", () => {
  it("has its colours as names", () => {
    const runs = runsOf("\u001b[31mred\u001b[0m plain \u001b[1;32mgreen\u001b[0m");
    expect(runs.map((run) => [run.text, run.classes])).toEqual([
      ["red", ["ansi-red"]],
      [" plain ", []],
      ["green", ["ansi-green", "bold"]],
    ]);
  });

  it("has a colour of its own where there is no name", () => {
    expect(runsOf("\u001b[38;5;196mx")[0]?.color).toBe("rgb(255, 0, 0)");
    expect(runsOf("\u001b[38;2;1;2;3mx")[0]?.color).toBe("rgb(1, 2, 3)");
  });

  it("shows what a terminal would show of a progress bar", () => {
    expect(overwritten("10%\r50%\r100%\r\ndone\r\n")).toBe("100%\ndone\n");
  });

  it("is folded to its end when it is long", () => {
    const lines = Array.from({ length: 100 }, (_, at) => `line ${at}`);
    const tail = tailOf(`${lines.join("\n")}\n`, GLANCE);
    expect(tail).toEqual({ text: lines.slice(-14).join("\n"), of: 100 });
    expect(tailOf("a\nb\n", GLANCE)).toEqual({ text: "a\nb", of: undefined });
    expect(tailOf("x".repeat(50_000), GLANCE).text).toHaveLength(16_000);
  });
});

describe("very long output", () => {
  it("is cut to what the page holds with ease", () => {
    const output = Array.from({ length: 26_000 }, (_, at) => `line ${at} ${"x".repeat(70)}`).join("\n");
    const { text, of } = tailOf(output, READING);
    expect(of).toBe(26_000);
    expect(text.split("\n")).toHaveLength(1_000);
    expect(tailOf("y".repeat(2_000_000), READING).text).toHaveLength(200_000);
  });
});

it("terminal output has no links, titles and moves of the cursor in it", () => {
  const output = "\u001b]0;title\u0007a \u001b]8;;https://x.y\u001b\\link\u001b]8;;\u001b\\\u001b[2K\u001b(B \u001b[1;31mred\u001b[0m";
  expect(runsOf(output).map((run) => run.text).join("")).toBe("a link red");
  expect(plain(output)).toBe("a link red");
});

it("terminal output keeps its grounds", () => {
  expect(runsOf("\u001b[41mx")[0]).toMatchObject({ classes: ["on-ansi-red"] });
  expect(runsOf("\u001b[48;5;196mx")[0]?.ground).toBe("rgb(255, 0, 0)");
  expect(runsOf("\u001b[48;2;1;2;3mx")[0]?.ground).toBe("rgb(1, 2, 3)");
});

describe("a command", () => {
  it("is shown as it was meant, without the shell around it", () => {
    expect(innerCommand("/bin/bash -lc 'sleep 3; echo done'")).toBe("sleep 3; echo done");
    expect(innerCommand(`/bin/sh -c "echo \\"hi\\""`)).toBe('echo "hi"');
    expect(innerCommand(`bash -lc 'it'"'"'s'`)).toBe("it's");
    expect(innerCommand("cargo test -- 'a b'")).toBe("cargo test -- 'a b'");
    expect(innerCommand("bash -lc 'open")).toBe("bash -lc 'open");
  });
});
