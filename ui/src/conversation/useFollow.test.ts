import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useFollow } from "./useFollow";

let grew: () => void = () => undefined;

beforeEach(() => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(told: () => void) {
        grew = told;
      }
      observe() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** A window of 100 onto something that grows, and its reader. */
function reader() {
  let height = 1_000;
  let top = 0;
  const element = document.createElement("div");
  Object.defineProperties(element, {
    scrollHeight: { get: () => height },
    clientHeight: { get: () => 100 },
    scrollTop: { get: () => top, set: (to: number) => (top = Math.max(0, Math.min(to, height - 100))) },
  });
  const { result } = renderHook(() => useFollow({ current: element }));
  const grow = (by: number) => act(() => ((height += by), grew()));
  const scroll = (to: number) => act(() => ((element.scrollTop = to), result.current.scrolled()));
  act(() => grew());
  return { element, grow, scroll, follow: () => result.current, rest: () => height - 100 - element.scrollTop };
}

it("follows what grows", () => {
  const { grow, rest, follow } = reader();
  grow(300);
  expect(rest()).toBe(0);
  expect(follow().following).toBe(true);
});

it.each([
  ["the wheel", (element: HTMLElement) => element.dispatchEvent(new WheelEvent("wheel", { deltaY: -10 }))],
  ["a key", (element: HTMLElement) => element.dispatchEvent(new KeyboardEvent("keydown", { key: "PageUp" }))],
  ["a finger or the scrollbar", (element: HTMLElement) => element.dispatchEvent(new Event("mousedown"))],
])("lets go by %s, even while it grows, and then nothing moves", (_, hand) => {
  const { element, grow, scroll, rest, follow } = reader();
  hand(element);
  grow(50);
  scroll(element.scrollTop - 40);
  expect(follow().following).toBe(false);
  const place = element.scrollTop;
  grow(500);
  expect(element.scrollTop).toBe(place);
  expect(rest()).toBeGreaterThan(500);
});

it("takes hold again at the end, by scrolling there or by the button", () => {
  const { element, grow, scroll, rest, follow } = reader();
  element.dispatchEvent(new WheelEvent("wheel", { deltaY: -10 }));
  scroll(500);
  scroll(895);
  expect(follow().following).toBe(true);
  scroll(300);
  expect(follow().following).toBe(false);
  act(() => follow().toEnd());
  grow(200);
  expect(rest()).toBe(0);
});

it("is not misled by a list that finds its rows smaller than it thought", () => {
  const { grow, scroll, element, rest, follow } = reader();
  grow(-200);
  scroll(element.scrollTop);
  expect(follow().following).toBe(true);
  expect(rest()).toBe(0);
});
