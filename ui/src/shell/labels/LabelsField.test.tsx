// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, it } from "vitest";
import type { SessionSummary } from "../../api/types";
import { fleet } from "../../model/fleet";
import type { Labels } from "./labels";
import { LabelsField } from "./LabelsField";

const FRESH = fleet.get();
let now: Labels = {};

function Held() {
  const [labels, setLabels] = useState<Labels>({ urgent: "" });
  now = labels;
  return <LabelsField labels={labels} onChange={setLabels} />;
}

afterEach(() => {
  cleanup();
  fleet.set(FRESH);
});

const type = (value: string) => fireEvent.change(screen.getByRole("combobox"), { target: { value } });
const press = (key: string) => fireEvent.keyDown(screen.getByRole("combobox"), { key });

it("adds what is typed, by Enter or a comma, and takes it away by its cross or Backspace", () => {
  render(<Held />);
  type("team:blue");
  press("Enter");
  expect(now).toEqual({ urgent: "", team: "blue" });
  type("spike,");
  expect(now).toEqual({ urgent: "", team: "blue", spike: "" });
  press("Backspace");
  fireEvent.click(screen.getByRole("button", { name: "Take the label urgent away" }));
  expect(now).toEqual({ team: "blue" });
});

it("completes with what other sessions have", () => {
  const other = { id: "a", labels: { team: "red" } } as unknown as SessionSummary;
  render(<Held />);
  act(() => fleet.set({ ...FRESH, sessions: new Map([["a", other]]) }));
  type("te");
  press("ArrowDown");
  press("Enter");
  expect(now).toEqual({ urgent: "", team: "red" });
  expect(screen.getByRole("combobox")).toHaveProperty("value", "");
});
