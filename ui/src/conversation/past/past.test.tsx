import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { EMPTY } from "../../model/conversation";
import type { MessageEntry } from "../../model/entry";
import { gateway, holding, message } from "../../steer/testing";
import { Message } from "../entries/Message";
import { InPast } from "./InPast";
import { rowsOfPast } from "./rowsOfPast";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const said = (state: MessageEntry["state"]): MessageEntry => ({ ...message("m1", "hello"), state, attempt: 1 });
const elsewhere = { place: { sessionId: "parent", cwd: undefined }, entries: new Map() };
const button = () => screen.queryByRole("button", { name: /^Fork from here/ });

describe("what a fork took over", () => {
  it("stands above a line that says from where, and takes no number of its own events", () => {
    const rows = rowsOfPast([{ sessionId: "parent", at: "2026-01-01T00:00:00.000Z", conversation: { ...EMPTY, ...holding(said("completed")) } }]);
    expect(rows.map(({ key, seq }) => [key, seq])).toEqual([["parent:message:m1", 0], ["forked:parent", 1]]);
    expect(rows[0]?.elsewhere?.place.sessionId).toBe("parent");
  });

  it("is said to be gone with its session", () => {
    const [row] = rowsOfPast([{ sessionId: "parent", at: "2026-01-01T00:00:00.000Z", conversation: undefined }]);
    expect(row?.entry).toMatchObject({ mark: { what: "forked", gone: true } });
  });
});

describe("forking from a message", () => {
  it("is offered once its turn is over", () => {
    const { rerender } = render(<Message entry={said("running")} told={false} />);
    expect(button()).toBeNull();
    rerender(<Message entry={said("completed")} told={false} />);
    expect(button()).not.toBeNull();
  });

  it("forks the session that the message was said in", async () => {
    const asked = gateway(() => ({ status: 201, body: { id: "new" } }));
    render(
      <InPast elsewhere={elsewhere}>
        <Message entry={said("completed")} told={false} />
      </InPast>,
    );
    fireEvent.click(button() ?? document.body);
    await waitFor(() => expect(location.pathname).toBe("/s/new"));
    expect(asked[0]).toMatchObject({ method: "POST", path: "/v1/sessions/parent/fork", body: { after_message_id: "m1" } });
  });
});
