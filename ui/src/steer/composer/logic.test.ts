import { describe, expect, it } from "vitest";
import { conversation, holding, message } from "../testing";
import { parseCommand } from "./commands";
import { earlier, later, onFirstLine, onLastLine, sentTexts } from "./history";
import { sends } from "./keys";
import { objection } from "./pictures";
import { insert, triggerAt } from "./trigger";

describe("the history", () => {
  const texts = sentTexts(conversation(holding(message("1", "one"), message("2", "two"), message("3", "two"))));

  it("goes back to what was sent and forth to what was being written", () => {
    expect(texts).toEqual(["one", "two"]);
    const first = earlier(texts, "draft", undefined);
    expect(first?.text).toBe("two");
    const second = earlier(texts, "two", first?.looking);
    expect(second?.text).toBe("one");
    expect(earlier(texts, "one", second?.looking)).toBeUndefined();
    const back = later(texts, second?.looking);
    expect(back?.text).toBe("two");
    expect(later(texts, back?.looking)).toEqual({ looking: undefined, text: "draft" });
    expect(later(texts, undefined)).toBeUndefined();
  });

  it("takes the arrows only at the edges of the text", () => {
    expect(onFirstLine("a\nb", 1)).toBe(true);
    expect(onFirstLine("a\nb", 2)).toBe(false);
    expect(onLastLine("a\nb", 1)).toBe(false);
    expect(onLastLine("a\nb", 3)).toBe(true);
  });
});

describe("a command", () => {
  it("is known, unknown, incomplete, or no command at all", () => {
    expect(parseCommand("/compact ")).toMatchObject({ is: "command", command: { name: "compact" } });
    expect(parseCommand("/rename  A new name")).toMatchObject({ is: "command", argument: "A new name" });
    expect(parseCommand("/rename ")).toMatchObject({ is: "incomplete" });
    expect(parseCommand("/nothing")).toEqual({ is: "unknown", name: "nothing" });
    expect(parseCommand("/usr/bin/env is missing")).toEqual({ is: "message" });
    expect(parseCommand(" /compact")).toEqual({ is: "message" });
    expect(parseCommand("/stop doing that")).toEqual({ is: "message" });
    expect(parseCommand("/compact\nand more")).toEqual({ is: "message" });
  });
});

describe("completion", () => {
  it("knows commands, their arguments and files", () => {
    expect(triggerAt("/co", 3)).toMatchObject({ of: "command", query: "co" });
    expect(triggerAt("say /co", 7)).toBeUndefined();
    expect(triggerAt("/model gp", 9)).toMatchObject({ of: "argument", command: "model", query: "gp", from: 7 });
    expect(triggerAt("see @src/pa", 11)).toMatchObject({ of: "file", query: "src/pa", from: 4 });
    expect(triggerAt("mail me@example", 15)).toBeUndefined();
  });

  it("puts what was chosen in the place of what was typed", () => {
    const text = "see @par please";
    const trigger = triggerAt(text, 8);
    expect(trigger && insert(text, trigger, "src/parser.rs")).toEqual({ text: "see src/parser.rs please", caret: 18 });
    const command = triggerAt("/com", 4);
    expect(command && insert("/com", command, "/compact")).toEqual({ text: "/compact ", caret: 9 });
  });
});

describe("a picture", () => {
  const MB = 1024 * 1024;
  it("has to be one, and not too large", () => {
    expect(objection({ name: "a.png", type: "image/png", size: MB }, [])).toBeUndefined();
    expect(objection({ name: "a.pdf", type: "application/pdf", size: 1 }, [])).toContain("only PNG");
    expect(objection({ name: "a.png", type: "image/png", size: 11 * MB }, [])).toContain("11.0 MB");
    const large = { id: "1", name: "b", url: `data:image/png;base64,${"A".repeat(16 * MB)}` };
    expect(objection({ name: "a.png", type: "image/png", size: 9 * MB }, [large])).toContain("20 MB");
  });
});

describe("Enter", () => {
  const enter = { key: "Enter", shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, composing: false };
  it("sends, but makes a line on a phone, with Shift, and while letters are put together", () => {
    expect(sends(enter, false)).toBe(true);
    expect(sends(enter, true)).toBe(false);
    expect(sends({ ...enter, shiftKey: true }, false)).toBe(false);
    expect(sends({ ...enter, composing: true }, false)).toBe(false);
    expect(sends({ ...enter, ctrlKey: true }, true)).toBe(true);
  });
});
