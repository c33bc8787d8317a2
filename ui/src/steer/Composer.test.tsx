import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Composer } from "./Composer";
import { clear } from "./composer/drafts";
import { conversation, gateway, holding, message } from "./testing";

const area = () => screen.getByLabelText<HTMLTextAreaElement>("Message to the agent");
const type = (text: string) => fireEvent.change(area(), { target: { value: text } });
const accepted = { status: 202, body: { message_id: "m1", state: "queued" } };
const busy = conversation({ runningTurn: "t", lifecycle: "running" });

describe("the composer", () => {
  beforeEach(() => {
    localStorage.clear();
    for (const session of ["a", "b"]) clear(session);
  });
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it("sends on Enter, shows it as being sent, and lets it go when it arrived", async () => {
    const asked = gateway(() => accepted);
    const { rerender } = render(<Composer sessionId="a" conversation={conversation()} />);
    type("hello");
    fireEvent.keyDown(area(), { key: "Enter" });
    expect(area().value).toBe("");
    expect(screen.getByText("Sending")).toBeTruthy();
    await waitFor(() => expect(asked).toHaveLength(1));
    expect(asked[0]).toMatchObject({ method: "POST", path: "/v1/sessions/a/messages", body: { text: "hello" } });
    await act(async () => rerender(<Composer sessionId="a" conversation={conversation(holding(message("m1", "hello")))} />));
    await waitFor(() => expect(screen.queryByText("Sending")).toBeNull());
  });

  it("keeps what is written through another session and a reload", () => {
    const { rerender } = render(<Composer sessionId="a" conversation={conversation()} />);
    type("half a thought");
    rerender(<Composer sessionId="b" conversation={conversation()} />);
    expect(area().value).toBe("");
    rerender(<Composer sessionId="a" conversation={conversation()} />);
    expect(area().value).toBe("half a thought");
    expect(localStorage.getItem("selvedge.draft.a")).toBe('"half a thought"');
  });

  it("says how a message is sent while the agent works, and remembers the choice", async () => {
    const asked = gateway(() => accepted);
    const { unmount } = render(<Composer sessionId="b" conversation={busy} />);
    fireEvent.click(screen.getByLabelText("Steer"));
    type("left!");
    fireEvent.keyDown(area(), { key: "Enter" });
    await waitFor(() => expect(asked[0]?.body).toEqual({ text: "left!", busy_policy: "steer" }));
    unmount();
    render(<Composer sessionId="b" conversation={busy} />);
    expect(screen.getByLabelText<HTMLInputElement>("Steer").checked).toBe(true);
  });

  it("stops, and offers force when nothing comes of it", async () => {
    vi.useFakeTimers();
    const asked = gateway();
    render(<Composer sessionId="a" conversation={busy} />);
    fireEvent.click(screen.getByRole("button", { name: "Stop" }));
    expect(asked[0]).toMatchObject({ path: "/v1/sessions/a/interrupt", body: { force: false } });
    await act(async () => vi.advanceTimersByTime(5_000));
    fireEvent.click(screen.getByRole("button", { name: "Force stop" }));
    expect(asked[1]?.body).toEqual({ force: true });
  });

  it("stops on Escape pressed twice, and not on one", () => {
    const asked = gateway();
    render(<Composer sessionId="a" conversation={busy} />);
    fireEvent.keyDown(area(), { key: "Escape" });
    expect(asked).toHaveLength(0);
    fireEvent.keyDown(area(), { key: "Escape" });
    expect(asked[0]?.path).toBe("/v1/sessions/a/interrupt");
  });

  it("moves, edits and takes back what waits", async () => {
    const asked = gateway();
    const waiting = conversation({ ...holding(message("1", "one"), message("2", "two")), queue: ["1", "2"], lifecycle: "running" });
    render(<Composer sessionId="a" conversation={waiting} />);
    const second = screen.getByLabelText(/place 2 of 2/);
    fireEvent.keyDown(second, { key: "ArrowUp", altKey: true });
    expect(asked[0]).toMatchObject({ method: "PATCH", path: "/v1/sessions/a/messages/2", body: { position: 0 } });
    fireEvent.keyDown(second, { key: "Enter" });
    const edit = screen.getByLabelText("Change the message");
    fireEvent.change(edit, { target: { value: "two, better" } });
    fireEvent.keyDown(edit, { key: "Enter" });
    expect(asked[1]).toMatchObject({ method: "PATCH", body: { text: "two, better" } });
    fireEvent.keyDown(screen.getByLabelText(/place 1 of 2/), { key: "Delete" });
    expect(asked[2]).toMatchObject({ method: "DELETE", path: "/v1/sessions/a/messages/1" });
    await waitFor(() => expect(area().value).toBe("one"));
  });

  it("keeps a command that could not be done", async () => {
    gateway(() => ({ status: 409, body: { code: "busy", title: "busy", detail: "a turn is running", status: 409 } }));
    render(<Composer sessionId="a" conversation={conversation()} />);
    type("/compact");
    fireEvent.keyDown(area(), { key: "Enter" });
    await waitFor(() => expect(area().value).toBe("/compact"));
  });

  it("keeps a message while the gateway is away: it can be changed and taken back", async () => {
    const asked = gateway(() => "unreachable");
    render(<Composer sessionId="away" conversation={conversation()} />);
    type("hello");
    fireEvent.keyDown(area(), { key: "Enter" });
    await waitFor(() => expect(screen.getByText("Waiting for the gateway")).toBeTruthy());
    fireEvent.click(screen.getByRole("button", { name: "Edit" }));
    const edit = screen.getByLabelText("Change the message");
    fireEvent.change(edit, { target: { value: "hello again" } });
    await act(async () => fireEvent.keyDown(edit, { key: "Enter" }));
    await waitFor(() => expect(asked.at(-1)?.body).toEqual({ text: "hello again" }));
    expect(asked.at(-1)?.key).toBe(asked[0]?.key);
    await waitFor(() => expect(screen.getByText("Waiting for the gateway")).toBeTruthy());
    fireEvent.click(screen.getByRole("button", { name: "Take back" }));
    expect(area().value).toBe("hello again");
    expect(screen.queryByText("Waiting for the gateway")).toBeNull();
  });
});
