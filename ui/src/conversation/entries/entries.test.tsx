import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { CodexItem, Entry, ItemEntry } from "../../model/entry";
import { FoldsContext } from "../../lib/useFold";
import { EntriesContext, PlaceContext } from "../context";
import { viewed } from "../pictures/viewed";
import { EntryView } from "./EntryView";

afterEach(cleanup);

const WHEN = { seq: 1, at: "2026-01-01T00:00:00Z" };
const item = (item: CodexItem, more: Partial<ItemEntry> = {}): ItemEntry => ({
  kind: "item", key: "k", itemId: "i", item, streamed: {}, done: true, ...WHEN, ...more,
});

function show(entry: Entry, folds = new Map<string, boolean>(), entries = new Map<string, Entry>()) {
  return render(
    <PlaceContext value={{ sessionId: "s", cwd: "/w" }}>
      <EntriesContext value={entries}>
        <FoldsContext value={folds}>
          <EntryView entry={entry} />
        </FoldsContext>
      </EntriesContext>
    </PlaceContext>,
  );
}

describe("a command", () => {
  const command = (more: Record<string, unknown>) => ({ type: "commandExecution", command: "bash -lc 'make all'", cwd: "/w", ...more });

  it("shows what was run, what it printed and how it ended", () => {
    show(item(command({ aggregatedOutput: "built\n", exitCode: 2, durationMs: 1_500 })));
    expect(screen.getByText("make all")).toBeTruthy();
    expect(screen.getByText("built")).toBeTruthy();
    expect(screen.getByText("exit 2 · 1.5 s")).toBeTruthy();
    expect(screen.queryByText("/w")).toBeNull();
  });

  it("shows what it prints while it runs, and where if that is elsewhere", () => {
    show(item(command({ cwd: "/other" }), { done: false, streamed: { output: "half" } }));
    expect(screen.getByText("half")).toBeTruthy();
    expect(screen.getByText("running")).toBeTruthy();
    expect(screen.getByText("/other")).toBeTruthy();
  });

  it("says that it was declined", () => {
    show(item(command({ status: "declined" })));
    expect(screen.getByText("declined")).toBeTruthy();
  });
});

it("folds thoughts to their heading, and stays as the reader left it", () => {
  const folds = new Map<string, boolean>();
  const entry = item({ type: "reasoning", summary: ["**Looking around**\n\nIt is dark."] });
  const { unmount } = show(entry, folds);
  expect(screen.queryByText("It is dark.")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Thought: Looking around" }));
  expect(screen.getByText("It is dark.")).toBeTruthy();
  unmount();
  show(entry, folds);
  expect(screen.getByText("It is dark.")).toBeTruthy();
});

it("hides nothing: an unknown item can be opened and read", () => {
  show(item({ type: "hologram", colour: "ultraviolet" }));
  fireEvent.click(screen.getByRole("button", { name: /hologram/ }));
  expect(screen.getByText(/ultraviolet/)).toBeTruthy();
});

it("shows changed files with their lines and counts", () => {
  show(item({ type: "fileChange", status: "completed", changes: [{ path: "/w/src/a.rs", kind: { type: "add" }, diff: "fn a() {}\n" }] }));
  expect(screen.getByText("src/a.rs")).toBeTruthy();
  expect(screen.getByText("fn a() {}")).toBeTruthy();
  expect(screen.getByLabelText("1 lines added, 0 removed")).toBeTruthy();
});

it("says why a message failed and what to do", () => {
  const error = { phase: "turn", code: "provider", message: "the provider answered 500" } as never;
  show({ kind: "message", key: "m", messageId: "m", input: [{ type: "text", text: "hi" }], state: "failed", attempt: 1, error, ...WHEN });
  expect(screen.getByText(/Failed: the provider answered 500/)).toBeTruthy();
  expect(screen.getByText(/Send it again/)).toBeTruthy();
});

it("does not speak of what was done where a message was taken back before it began", () => {
  show({ kind: "message", key: "m", messageId: "m", input: [{ type: "text", text: "hi" }], state: "interrupted", attempt: 0, ...WHEN });
  expect(screen.getByText("The agent never got this")).toBeTruthy();
  expect(screen.queryByText(/What was done/)).toBeNull();
});

it("shows the pictures of a message from the gateway", () => {
  show({ kind: "message", key: "m", messageId: "m", input: [{ type: "image", sha256: "abc", media_type: "image/png" }], state: "completed", attempt: 1, ...WHEN });
  expect(screen.getByRole("img").getAttribute("src")).toBe("/v1/sessions/s/files/abc");
});

const PNG = `iVBORw0KGgo${"A".repeat(4_000)}`;

it("shows the pictures that a tool answered with, and counts their bytes instead of printing them", () => {
  const result = { content: [{ type: "text", text: "drawn" }, { type: "image", data: PNG, mimeType: "image/png" }] };
  show(item({ type: "mcpToolCall", server: "paint", tool: "draw", status: "completed", arguments: {}, result }));
  expect(screen.getByRole("img", { name: "Picture from paint · draw" }).getAttribute("src")).toBe(`data:image/png;base64,${PNG}`);
  fireEvent.click(screen.getByRole("button", { name: /paint/, expanded: false }));
  expect(screen.getByText(/\(picture, 3 KB\)/)).toBeTruthy();
  expect(screen.queryByText(new RegExp(PNG))).toBeNull();
});

it("fetches no picture from elsewhere", () => {
  const contentItems = [{ type: "inputImage", imageUrl: "https://example.org/a.png" }];
  show(item({ type: "dynamicToolCall", tool: "draw", status: "completed", contentItems }));
  expect(screen.queryByRole("img")).toBeNull();
});

it("shows a picture that the agent made, and one of a message that it looked at", () => {
  show(item({ type: "imageGeneration", status: "completed", result: PNG, revisedPrompt: "A red fox" }));
  expect(screen.getByRole("img", { name: "A red fox" })).toBeTruthy();
  cleanup();
  const sha = "a".repeat(64);
  show(item({ type: "imageView", path: `/data/files/${sha}` }));
  expect(screen.getByRole("img").getAttribute("src")).toBe(`/v1/sessions/s/files/${sha}`);
  cleanup();
  show({ ...item({ type: "imageView", path: "/w/chart.png" }), itemSeq: 12 });
  expect(screen.getByRole("img", { name: "chart.png" }).getAttribute("src")).toBe("/v1/sessions/s/events/12/picture");
  expect(screen.getByText("/w/chart.png")).toBeTruthy();
  cleanup();
  show(item({ type: "imageGeneration", status: "in_progress" }));
  expect(screen.queryByRole("img")).toBeNull();
});

it("opens a picture larger, and says when one cannot be shown", () => {
  show(item({ type: "imageGeneration", status: "completed", result: PNG, revisedPrompt: "A red fox" }));
  fireEvent.click(screen.getByRole("button", { name: "A red fox" }));
  expect(viewed.get()).toEqual({ src: `data:image/png;base64,${PNG}`, alt: "A red fox" });
  fireEvent.error(screen.getByRole("img"));
  expect(screen.getByText(/cannot be shown/)).toBeTruthy();
});

it("tells the steps of a plan in words, too", () => {
  show({ kind: "plan", key: "p", steps: [{ step: "Listen", status: "completed" }, { step: "Answer", status: "in_progress" }], ...WHEN });
  expect(screen.getByText("1 of 2 done")).toBeTruthy();
  expect(screen.getByText("Under way:", { exact: false })).toBeTruthy();
});

it("holds what a sub-agent did inside, under its task", () => {
  const inner = item({ type: "agentMessage", text: "found it" }, { key: "inner" });
  const call = item({ type: "collabAgentToolCall", tool: "spawnAgent", prompt: "Search", receiverThreadIds: ["c"] }, { key: "call" });
  const agent: Entry = { kind: "agent", key: "agent:c", threadId: "c", order: ["inner"], done: true, ...WHEN };
  show(agent, new Map(), new Map<string, Entry>([["inner", inner], ["call", call], ["agent:c", agent]]));
  fireEvent.click(screen.getByRole("button", { name: /Sub-agent: Search/ }));
  expect(screen.getByText("found it")).toBeTruthy();
});

it("shows the last steps of a sub-agent that took many, and all when asked", () => {
  const steps = Array.from({ length: 60 }, (_, at) => item({ type: "agentMessage", text: `step ${at}` }, { key: `k${at}` }));
  const agent: Entry = { kind: "agent", key: "agent:c", threadId: "c", order: steps.map(({ key }) => key), done: true, ...WHEN };
  show(agent, new Map(), new Map<string, Entry>(steps.map((step) => [step.key, step])));
  fireEvent.click(screen.getByRole("button", { name: /Sub-agent/ }));
  expect(screen.queryByText("step 9")).toBeNull();
  expect(screen.getByText("step 10")).toBeTruthy();
  fireEvent.click(screen.getByText(/last 50 of 60 steps/));
  expect(screen.getByText("step 0")).toBeTruthy();
});

it("copies an answer as it was written", async () => {
  const written = vi.fn(() => Promise.resolve());
  vi.stubGlobal("navigator", { clipboard: { writeText: written } });
  show(item({ type: "agentMessage", text: "It is **done**" }));
  const button = screen.getByRole("button", { name: "Copy as markdown" });
  fireEvent.pointerDown(button);
  await act(async () => fireEvent.click(button));
  expect(written).toHaveBeenCalledWith("It is **done**");
  vi.unstubAllGlobals();
});

it("tells of Codex's end quietly where nothing was cut, and of a session that failed without its log", () => {
  const exited = { what: "exited", reason: "the app-server ended by itself (signal 9)", stderr: "ERROR x" } as const;
  show({ kind: "mark", key: "e", mark: { ...exited, idle: true }, ...WHEN });
  expect(screen.getByRole("button", { name: /ended while idle/ }).getAttribute("aria-expanded")).toBe("false");
  cleanup();
  show({ kind: "mark", key: "e", mark: { ...exited, idle: false }, ...WHEN });
  expect(screen.getByText("Codex ended in the middle of a turn")).toBeTruthy();
  expect(screen.getByText("The app-server ended by itself (signal 9).")).toBeTruthy();
  cleanup();
  const reason = "the app-server keeps ending: signal 9; the end of its stderr:\nERROR x";
  show({ kind: "mark", key: "s", mark: { what: "state", state: "failed", reason }, ...WHEN });
  expect(screen.getByText("The app-server keeps ending: signal 9.")).toBeTruthy();
  expect(screen.getByText("ERROR x").closest("details")?.open).toBe(false);
});

it("shows a warning with its hint", () => {
  show({ kind: "mark", key: "w", mark: { what: "warning", code: "x", message: "Low on disk", hint: "Make room." }, ...WHEN });
  expect(screen.getByText("Low on disk")).toBeTruthy();
  expect(screen.getByText("Make room.")).toBeTruthy();
});
