// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { MomentContext } from "../lib/moment";
import { go, useRoute } from "../lib/route";
import { EMPTY, reduce } from "../model/conversation";
import { fleet } from "../model/fleet";
import { WatchedSession } from "../model/session";
import { ApprovalCard } from "../steer/ApprovalCard";
import { approval, gateway } from "../steer/testing";
import { NotThere } from "./NotThere";
import { QueueThen } from "./QueueThen";
import { EVENTS, recordedGateway, seqOf } from "./testing";
import { TravelBar } from "./TravelBar";
import { useTravel } from "./useTravel";

beforeEach(() => go({ page: "session", id: "s", view: "talk", at: 40 }));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  go({ page: "home" });
});

const session = new WatchedSession("s");

/** The bar of a journey that the address names. */
function Bar() {
  const route = useRoute();
  const journey = useTravel(session, route.page === "session" ? route.at : undefined);
  if (!journey) return <p>Now</p>;
  return (
    <>
      {journey.conversation ? null : <NotThere journey={journey} />}
      <TravelBar sessionId="s" journey={journey} live={EMPTY} />
    </>
  );
}

async function bar() {
  recordedGateway();
  render(<Bar />);
  return screen.findByRole<HTMLInputElement>("slider", { name: "Place in the session" });
}

const place = (): string | null => screen.getByRole("slider").getAttribute("aria-valuetext");

it("says where one is: number, name, time and turn", async () => {
  await bar();
  expect(await screen.findByText("40")).toBeTruthy();
  const event = EVENTS[39];
  expect(document.querySelector("time")?.getAttribute("datetime")).toBe(event?.at);
  expect(place()).toMatch(new RegExp(`^event 40 of ${EVENTS.length}, .+, turn 1 of`));
});

it("goes to the turns by Page Up and Page Down, and by keys that count where nobody types", async () => {
  const slider = await bar();
  await screen.findByText("40");
  fireEvent.keyDown(slider, { key: "PageUp" });
  expect(slider.value).toBe(String(seqOf("turn.started", 1)));
  fireEvent.keyDown(slider, { key: "PageDown" });
  expect(slider.value).toBe(String(seqOf("turn.started", 0)));
  fireEvent.keyDown(document.body, { key: "." });
  expect(slider.value).toBe(String(seqOf("turn.started", 0) + 1));
});

it("writes the place into the address once the reader rests, and leaves it for now", async () => {
  const slider = await bar();
  await screen.findByText("40");
  fireEvent.change(slider, { target: { value: "77" } });
  await vi.waitFor(() => expect(location.search).toBe("?at=77"));
  act(() => go({ page: "session", id: "s", view: "talk", at: 12 }));
  expect(slider.value).toBe("12");
  fireEvent.keyDown(document.body, { key: "Escape" });
  expect(location.pathname + location.search).toBe("/s/s");
  expect(screen.getByText("Now")).toBeTruthy();
});

it("copies a link that leads here", async () => {
  const written = vi.fn(() => Promise.resolve());
  vi.stubGlobal("navigator", { ...navigator, clipboard: { writeText: written } });
  await bar();
  await screen.findByText("40");
  fireEvent.click(screen.getByRole("button", { name: "Copy link" }));
  expect(written).toHaveBeenCalledWith(`${location.origin}/s/s?at=40`);
  expect(await screen.findByRole("button", { name: "Copied" })).toBeTruthy();
});

it("says that the event of a link has not happened", async () => {
  recordedGateway(30);
  render(<Bar />);
  expect(await screen.findByText("Event 40 has not happened")).toBeTruthy();
  fireEvent.click(screen.getByText("Go to the last event"));
  expect(place()).toMatch(/^event 30 of 30/);
});

it("shows what was asked as open, though it is answered by now, and takes no answer", () => {
  const asked = gateway();
  fleet.update((state) => ({ ...state, answered: new Map([["a1", { by: "eva", decision: "accept" }]]) }));
  render(
    <MomentContext value={Date.parse("2026-01-01T00:00:05.000Z")}>
      <ApprovalCard approval={approval("command", { command: "ls" })} />
    </MomentContext>,
  );
  const accept = screen.getByRole("button", { name: /^Accept/ });
  fireEvent.click(accept);
  fireEvent.keyDown(screen.getByRole("article"), { key: "a" });
  fireEvent.keyDown(screen.getByRole("article"), { key: "d" });
  expect(accept.closest("fieldset")?.disabled).toBe(true);
  expect(screen.queryByRole("textbox")).toBeNull();
  expect(asked).toEqual([]);
});

it("shows what waited for its turn, for as long as it did", () => {
  const accepted = EVENTS.filter(({ type }) => type === "message.accepted").at(2)?.seq ?? 0;
  const then = (seq: number) => reduce(EMPTY, EVENTS.slice(0, seq));
  const shown = render(<QueueThen conversation={then(accepted)} />);
  expect(screen.getByText("plan it")).toBeTruthy();
  shown.rerender(<QueueThen conversation={then(EVENTS.length)} />);
  expect(screen.queryByText("plan it")).toBeNull();
});
