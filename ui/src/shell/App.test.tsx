// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Refused } from "../api/client";
import type { SessionSummary } from "../api/types";
import { tell } from "../lib/notices";
import { go } from "../lib/route";
import { fleet } from "../model/fleet";
import { aSession } from "../model/testing";
import { showAll, toggle } from "./filter/store";
import { App } from "./App";

const session = (id: string, more: Partial<SessionSummary> = {}) => aSession({ id, name: id, ...more });

const FRESH = fleet.get();

beforeEach(() => {
  // A gateway that never answers: what is shown is what the fleet was told.
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  fleet.set({ ...FRESH, listed: true });
  go({ page: "home" });
  showAll();
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const put = (...sessions: SessionSummary[]) =>
  act(() => fleet.update((state) => ({ ...state, sessions: new Map(sessions.map((each) => [each.id, each])) })));

it("explains itself before there is a session", () => {
  render(<App />);
  expect(screen.getByRole("heading", { name: "All your agents, in one place" })).toBeTruthy();
});

it("finds sessions by what is typed", () => {
  render(<App />);
  put(session("Login form"), session("Invoices"));
  const sidebar = screen.getByRole("navigation", { name: "Sessions" });
  fireEvent.change(screen.getByRole("searchbox"), { target: { value: "invo" } });
  expect(within(sidebar).queryByText("Login form")).toBeNull();
  expect(within(sidebar).getByText("Invoices")).toBeTruthy();
});

it("shows what fits the filter, says so, and leads out of it", () => {
  render(<App />);
  put(session("Login form", { labels: { team: "blue" } }), session("Invoices", { state: "failed" }));
  const sidebar = screen.getByRole("navigation", { name: "Sessions" });
  act(() => toggle("label", "team:blue"));
  expect(within(sidebar).queryByText("Invoices")).toBeNull();
  expect(within(sidebar).getByText("1 of 2 sessions")).toBeTruthy();
  expect(location.search).toBe("?label=team:blue");
  act(() => toggle("state", "failed"));
  expect(within(sidebar).getByText("Nothing matches.")).toBeTruthy();
  fireEvent.click(within(sidebar).getByRole("button", { name: "Show all" }));
  expect(within(sidebar).getByText("Invoices")).toBeTruthy();
  expect(location.search).toBe("");
});

it("renames a session where it stands, and Escape leaves its name", () => {
  const asked: unknown[] = [];
  vi.stubGlobal("fetch", (path: string, init?: RequestInit) => {
    if (init?.method === "PATCH") asked.push([path, init.body]);
    return new Promise(() => undefined);
  });
  render(<App />);
  put(session("Login form"));
  const sidebar = screen.getByRole("navigation", { name: "Sessions" });
  const typed = (key: string) => {
    fireEvent.keyDown(within(sidebar).getByRole("link", { name: /Login form/ }), { key: "F2" });
    const field = within(sidebar).getByRole("textbox", { name: "Name of the session" });
    fireEvent.change(field, { target: { value: "Sign in" } });
    fireEvent.keyDown(field, { key });
  };
  typed("Escape");
  expect(asked).toEqual([]);
  typed("Enter");
  expect(asked).toEqual([["/v1/sessions/Login%20form", JSON.stringify({ name: "Sign in" })]]);
});

it("folds what was put away", () => {
  render(<App />);
  put(session("Here"), session("Away", { archived: true }));
  const sidebar = screen.getByRole("navigation", { name: "Sessions" });
  expect(within(sidebar).queryByText("Away")).toBeNull();
  fireEvent.click(within(sidebar).getByRole("button", { name: /Archived/ }));
  expect(within(sidebar).getByText("Away")).toBeTruthy();
});

it("counts what waits, in total and at its session", () => {
  render(<App />);
  put(session("Login form", { state: "waiting" }));
  const asked = { approval_id: "a", at: "2026-01-01T00:00:00.000Z", kind: "command" as const, request: {}, session_id: "Login form" };
  act(() => fleet.update((state) => ({ ...state, approvals: [asked] })));
  expect(screen.getByRole("link", { name: /Inbox.*1 waits for you/ })).toBeTruthy();
  expect(screen.getByRole("link", { name: /Login form.*1 waits for you/ })).toBeTruthy();
});

it("shows a session that asks as one that waits, whatever came first", () => {
  render(<App />);
  put(session("Login form", { state: "running" }));
  const asked = { approval_id: "a", at: "2026-01-01T00:00:00.000Z", kind: "command" as const, request: {}, session_id: "Login form" };
  act(() => fleet.update((state) => ({ ...state, approvals: [asked] })));
  const sidebar = screen.getByRole("navigation", { name: "Sessions" });
  expect(within(sidebar).getByRole("link", { name: /^Waits for you Login form/ })).toBeTruthy();
});

it("says that the gateway is gone until it is back", () => {
  render(<App />);
  const connection = (connection: "away" | "connecting" | "live") => act(() => fleet.update((state) => ({ ...state, connection })));
  connection("away");
  expect(screen.getByText("The gateway does not answer;")).toBeTruthy();
  connection("connecting");
  expect(screen.getByText("The gateway does not answer;")).toBeTruthy();
  connection("live");
  expect(screen.queryByText("The gateway does not answer;")).toBeNull();
});

it("says how to get in again", () => {
  render(<App />);
  const refused = new Refused({ code: "unauthenticated", title: "x", detail: "a valid token is needed", status: 401 });
  act(() => fleet.update((state) => ({ ...state, connection: "refused", refused })));
  expect(screen.getByLabelText("Token")).toBeTruthy();
});

it("keeps notices until they are closed", () => {
  render(<App />);
  act(() => tell("It was not done", "error", "do it again"));
  const notices = screen.getByRole("log", { name: "Notices" });
  expect(within(notices).getByText("do it again")).toBeTruthy();
  fireEvent.click(within(notices).getByRole("button"));
  expect(within(notices).queryByText("It was not done")).toBeNull();
});

it("has keys that count only where nobody types", () => {
  render(<App />);
  fireEvent.keyDown(screen.getByRole("searchbox"), { key: "i" });
  expect(location.pathname).toBe("/");
  fireEvent.keyDown(document.body, { key: "i" });
  expect(location.pathname).toBe("/inbox");
});
