import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { SessionSummary } from "../api/types";
import { fleet } from "../model/fleet";
import { draftOf } from "../steer/composer/drafts";
import { PlaceContext } from "./context";
import { Welcome } from "./Welcome";

afterEach(cleanup);

function welcomes(id: string, kind: "codex" | "rehearsal"): void {
  const session = { id, backend: { kind } } as unknown as SessionSummary;
  fleet.update((state) => ({ ...state, sessions: new Map([...state.sessions, [id, session]]) }));
  render(<PlaceContext value={{ sessionId: id, cwd: "/w/shop" }}><Welcome /></PlaceContext>);
}

it("offers words that whoever answers can do something with", () => {
  welcomes("real", "codex");
  expect(screen.getByRole("button", { name: /What does this project do/ })).toBeTruthy();
  expect(screen.queryByRole("button", { name: /tour/ })).toBeNull();
  cleanup();
  welcomes("played", "rehearsal");
  fireEvent.click(screen.getByRole("button", { name: /Give me the tour/ }));
  expect(draftOf("played").get().text).toBe("Give me the tour");
  fireEvent.click(screen.getByRole("button", { name: /Run a command/ }));
  expect(draftOf("played").get().text).toBe("Run a command");
});
