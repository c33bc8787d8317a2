// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { WorldFooter } from "./WorldFooter";
import { world } from "./world";

afterEach(cleanup);

/** As Codex sends it. */
const limits = (primary: number, secondary: number | null) => ({
  limitId: "codex",
  limitName: null,
  primary: { usedPercent: primary, windowDurationMins: 300, resetsAt: Math.floor(Date.now() / 1_000) - 60 },
  secondary: secondary === null ? null : { usedPercent: secondary, windowDurationMins: 10_080, resetsAt: Math.floor(Date.now() / 1_000) + 5 * 86_400 },
  credits: null,
  planType: "pro",
  rateLimitReachedType: null,
});

function show(rate_limits: unknown): void {
  world.set({
    backends: [{ kind: "codex", found: true, version: "0.166.0", is_default: true }],
    account: { logged_in: true, login_needed: false, kind: "chatgpt", email: "eva@example.org", plan: "pro", rate_limits: rate_limits as never },
    models: [],
  });
  render(<WorldFooter />);
}

it("says whose account it is, and how much of each limit is used until when", () => {
  show(limits(83.4, 41));
  expect(screen.getByText("eva@example.org · pro")).toBeTruthy();
  const [five, week] = screen.getAllByRole("meter");
  expect(five?.getAttribute("aria-valuenow")).toBe("83");
  expect(five?.getAttribute("aria-valuetext")).toBe("83 % used, begins anew now");
  expect(week?.getAttribute("aria-label")).toBe("Week limit");
});

it("says nothing of limits that there are not", () => {
  show({ ...limits(0, null), primary: null });
  expect(screen.queryByRole("meter")).toBeNull();
});
