import { describe, expect, it } from "vitest";
import { overwritten, runsOf } from "./ansi";
import { innerCommand } from "./command";
import { tailOf } from "./tail";

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
    const tail = tailOf(`${lines.join("\n")}\n`);
    expect(tail).toEqual({ text: lines.slice(-14).join("\n"), of: 100 });
    expect(tailOf("a\nb\n")).toEqual({ text: "a\nb", of: undefined });
    expect(tailOf("x".repeat(50_000)).text).toHaveLength(16_000);
  });
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
