import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ChangedFile } from "../../conversation/changes/ChangedFile";
import type { Layout } from "../../diff/layout";
import { parseChange } from "../../diff/parse";
import { ApprovalCard } from "../ApprovalCard";
import { approval, conversation, gateway } from "../testing";
import { Astray } from "./Astray";
import { CommentCount } from "./CommentCount";
import { CommentedLines } from "./CommentedLines";
import { CommentsBar } from "./CommentsBar";
import { commentsOf } from "./comments";

const DIFF = "@@ -1,3 +1,4 @@\n one\n-two\n+zwei\n+drei\n four\n@@ -20,1 +21,2 @@\n twenty\n+more\n";
const file = (diff = DIFF) => parseChange({ path: "a.rs", kind: "update", diff });
const shown = (diff?: string, layout: Layout = "unified") => (
  <CommentedLines session="s" where="changes" id="f" file={file(diff)} layout={layout} limit={400} />
);
const folded = <ChangedFile session="s" file={file()} layout="unified" open={false} />;
const grid = () => screen.getByRole("grid");
const keys = (...pressed: string[]) => {
  for (const key of pressed) fireEvent.keyDown(grid(), { key: key.replace("Shift+", ""), shiftKey: key.startsWith("Shift+") });
};
const area = () => screen.getByRole<HTMLTextAreaElement>("textbox");
const write = (text: string) => {
  fireEvent.change(area(), { target: { value: text } });
  fireEvent.keyDown(area(), { key: "Enter" });
};
const quoted = () => commentsOf("s").get().map(({ lines }) => lines.map(({ text }) => text));

beforeEach(() => {
  localStorage.clear();
  commentsOf("s").set([]);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("with the keyboard", () => {
  it("a line is chosen with the arrows and spoken of with c", () => {
    render(shown());
    keys("ArrowDown", "ArrowDown", "ArrowDown", "c");
    expect(document.activeElement).toBe(area());
    expect(screen.getByLabelText("Comment on line 2", { selector: "textarea" })).toBeTruthy();
    write("Why German?");
    expect(screen.getByText("Why German?")).toBeTruthy();
    expect(quoted()).toEqual([["zwei"]]);
    // The keyboard is back at the lines.
    expect(document.activeElement).toBe(grid());
  });

  it("Shift makes it a range, which stays in its hunk", () => {
    render(shown());
    keys("ArrowDown", "ArrowDown", "Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowDown", "Enter");
    expect(quoted()).toEqual([["two", "zwei", "drei", "four"]]);
  });

  it("the other side is beside it", () => {
    render(shown(DIFF, "split"));
    keys("ArrowDown", "ArrowDown");
    const after = grid().getAttribute("aria-activedescendant");
    expect(document.getElementById(after ?? "")?.textContent).toBe("zwei");
    keys("ArrowLeft", "c");
    expect(quoted()).toEqual([["two"]]);
  });

  it("Escape keeps the words, and nothing without words", () => {
    render(shown());
    keys("ArrowDown", "c");
    fireEvent.keyDown(area(), { key: "Escape" });
    expect(quoted()).toEqual([]);
    keys("c");
    fireEvent.change(area(), { target: { value: "half a thou" } });
    fireEvent.keyDown(area(), { key: "Escape" });
    expect(screen.getByText("half a thou")).toBeTruthy();
  });
});

it("the gutter takes a press, and a drag over several lines", () => {
  render(shown());
  const [, second] = grid().querySelectorAll("[data-line='2'] [data-gutter]");
  const [, third] = grid().querySelectorAll("[data-line='3'] [data-gutter]");
  if (!second || !third) throw new Error("there are lines");
  fireEvent.mouseDown(second, { button: 0 });
  fireEvent.mouseOver(third);
  fireEvent.mouseUp(third);
  expect(quoted()).toEqual([["zwei", "drei"]]);
});

describe("a comment", () => {
  const begin = (text: string) => (keys("ArrowDown", "ArrowDown", "ArrowDown", "c"), write(text));

  it("can be changed and removed, and is kept by the browser", () => {
    render(shown());
    begin("one");
    fireEvent.click(screen.getByRole("button", { name: "Change the comment" }));
    write("two, better");
    expect(localStorage.getItem("selvedge.comments.s")).toContain("two, better");
    fireEvent.click(screen.getByRole("button", { name: "Remove the comment" }));
    expect(localStorage.getItem("selvedge.comments.s")).toBeNull();
  });

  it("is gone here when another tab has sent it", () => {
    render(shown());
    begin("one");
    localStorage.removeItem("selvedge.comments.s");
    act(() => void dispatchEvent(new StorageEvent("storage", { key: "selvedge.comments.s" })));
    expect(screen.queryByText("one", { selector: "p" })).toBeNull();
    expect(quoted()).toEqual([]);
  });

  it("is counted in the head of its file", () => {
    render(<>{shown()}<CommentCount session="s" where="changes" path="a.rs" /></>);
    expect(screen.queryByRole("img")).toBeNull();
    begin("one");
    expect(screen.getByRole("img", { name: "1 comment" })).toBeTruthy();
  });

  it("stays when its line is gone, and says so", () => {
    const { rerender } = render(shown());
    begin("about zwei");
    rerender(shown("@@ -1,3 +1,3 @@\n one\n-two\n+deux\n four\n"));
    expect(screen.getByText("about zwei")).toBeTruthy();
    expect(screen.getByText(/these lines are gone/)).toBeTruthy();
    expect(screen.getByText(/\+ zwei/)).toBeTruthy();
    rerender(<Astray session="s" paths={new Set()} />);
    expect(screen.getByText(/Was on a.rs, line 2/)).toBeTruthy();
  });

  it("goes with the others as one message, the way messages go", async () => {
    const asked = gateway(() => ({ status: 202, body: { message_id: "m", state: "queued" } }));
    const busy = conversation({ runningTurn: "t", lifecycle: "running" });
    render(<>{shown()}<CommentsBar sessionId="s" conversation={busy} alone /></>);
    begin("Why German?");
    keys("ArrowDown", "c");
    write("And this?");
    expect(screen.getByRole("button", { name: "2 comments" })).toBeTruthy();
    fireEvent.click(screen.getByLabelText("Steer"));
    await act(async () => fireEvent.click(screen.getByRole("button", { name: "Send" })));
    await waitFor(() => expect(asked).toHaveLength(1));
    const { text, busy_policy } = asked[0]?.body as { text: string; busy_policy: string };
    expect(text).toMatch(/^2 comments on the changes:[\s\S]*\+zwei[\s\S]*Why German\?[\s\S]*\+drei[\s\S]*And this\?$/);
    expect(busy_policy).toBe("steer");
    expect(quoted()).toEqual([]);
  });

  it("is led to by the bar, also where its file was folded", async () => {
    render(<>{folded}<CommentsBar sessionId="s" conversation={conversation()} alone /></>);
    const head = screen.getByRole("button", { name: /a\.rs/ });
    fireEvent.click(head);
    begin("Why German?");
    fireEvent.click(head);
    expect(screen.queryByRole("grid")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "1 comment" }));
    fireEvent.click(screen.getByRole("button", { name: /line 2.*Why German/ }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("region", { name: "Comment on line 2" })));
    expect(location.pathname).toBe("/s/s/changes");
  });

  it("is discarded only when that is said twice", () => {
    render(<>{shown()}<CommentsBar sessionId="s" conversation={conversation()} /></>);
    begin("one");
    fireEvent.click(screen.getByRole("button", { name: "Discard" }));
    expect(quoted()).toHaveLength(1);
    fireEvent.click(screen.getByRole("button", { name: "Discard it" }));
    expect(quoted()).toEqual([]);
  });
});

describe("what waits for an answer", () => {
  const asks = approval("file_change", { itemId: "i", changes: [{ path: "a.rs", kind: "update", diff: DIFF }] }, "f9");
  const card = () => screen.getByRole("article");

  it("is declined with its comments, which are then said", async () => {
    const asked = gateway();
    render(<ApprovalCard approval={asks} />);
    keys("ArrowDown", "c");
    expect(asked).toHaveLength(0);
    write("Keep one.");
    fireEvent.click(screen.getByRole("button", { name: /Decline with 1 comment…/ }));
    fireEvent.change(screen.getByLabelText(/What should it do instead/), { target: { value: "Not like this." } });
    await act(async () => fireEvent.click(screen.getByRole("button", { name: "Decline with 1 comment" })));
    expect(asked[0]?.body).toEqual({
      decision: "decline",
      message: "Not like this.\n\n1 comment on the changes:\n\n`a.rs`, line 1:\n```diff\n one\n```\nKeep one.",
    });
    await waitFor(() => expect(quoted()).toEqual([]));
  });

  it("keeps its comments when the answer did not arrive", async () => {
    gateway(() => "unreachable");
    render(<ApprovalCard approval={asks} />);
    keys("ArrowDown", "c");
    write("Keep one.");
    fireEvent.keyDown(card(), { key: "d" });
    await act(async () => fireEvent.click(screen.getByRole("button", { name: "Decline with 1 comment" })));
    await waitFor(() => expect(screen.getByRole("alert").textContent).toContain("Not answered"));
    expect(quoted()).toEqual([["one"]]);
  });
});
