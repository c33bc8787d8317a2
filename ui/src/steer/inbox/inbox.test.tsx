import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Event } from "../../api/types";
import { fleet, reduceFleet } from "../../model/fleet";
import { Inbox } from "../Inbox";
import { approval } from "../testing";
import { titled, useAttention } from "../useAttention";
import { newcomers } from "./newcomers";

const asked = (id: string, session: string, at: string) => ({ ...approval("command", { command: id }, id), session_id: session, at });
const first = asked("one", "s1", "2026-01-01T00:00:01.000Z");
const second = asked("two", "s2", "2026-01-01T00:00:02.000Z");
const third = asked("three", "s1", "2026-01-01T00:00:03.000Z");

function Attentive() {
  useAttention();
  return null;
}

describe("the inbox", () => {
  beforeEach(() => fleet.update((state) => ({ ...state, listed: true, approvals: [], answered: new Map() })));
  afterEach(cleanup);

  it("says when nothing waits", () => {
    render(<Inbox />);
    expect(screen.getByText("Nothing waits for you.")).toBeTruthy();
  });

  it("groups by session, the oldest first, and goes through with j and k", () => {
    fleet.update((state) => ({ ...state, approvals: [second, third, first] }));
    render(<Inbox />);
    const order = screen.getAllByRole("article").map((card) => card.getAttribute("data-waiting-card"));
    expect(order).toEqual(["one", "three", "two"]);
    const here = () => document.activeElement?.getAttribute("data-waiting-card");
    expect(here()).toBe("one");
    fireEvent.keyDown(document.body, { key: "j" });
    expect(here()).toBe("three");
    fireEvent.keyDown(document.body, { key: "j" });
    fireEvent.keyDown(document.body, { key: "k" });
    expect(here()).toBe("three");
  });

  it("keeps a card that somebody else answered, and says so", () => {
    fleet.update((state) => ({ ...state, approvals: [first, second] }));
    render(<Inbox />);
    const data = { approval_id: "one", decision: "decline", by: "eva/cli", message: "not on a Friday" };
    const event = { type: "approval.resolved", seq: 9, session_id: "s1", at: first.at, data } as Event;
    act(() => fleet.update((state) => reduceFleet(state, event)));
    expect(screen.getAllByRole("article")).toHaveLength(1);
    expect(screen.getByText(/by eva \(cli\)/).textContent).toContain("not on a Friday");
  });
});

describe("attention", () => {
  afterEach(cleanup);

  it("is drawn by the title, whatever it is, and by a word for screen readers", () => {
    fleet.update((state) => ({ ...state, listed: true, approvals: [first] }));
    document.title = "Selvedge";
    render(<Attentive />);
    expect(document.title).toBe("(1) Selvedge");
    act(() => fleet.update((state) => ({ ...state, approvals: [first, second] })));
    expect(document.title).toBe("(2) Selvedge");
    expect(screen.getByRole("status").textContent).toBe("2 things wait for you.");
    act(() => fleet.update((state) => ({ ...state, approvals: [] })));
    expect(document.title).toBe("Selvedge");
    expect(titled("(3) A session", 1)).toBe("(1) A session");
  });

  it("is for what is new: not for what was there when the page was opened", () => {
    const opened = newcomers(undefined, [first]);
    expect(opened.fresh).toEqual([]);
    expect(newcomers(opened.ids, [first, second]).fresh).toEqual([second]);
    expect(newcomers(opened.ids, []).gone).toEqual(["one"]);
  });
});
