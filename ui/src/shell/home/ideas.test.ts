import { afterEach, expect, it, vi } from "vitest";
import { gateway } from "../../steer/testing";
import { begun, keepUnsent } from "../create/unsent";
import { begin, ideasFor } from "./ideas";

afterEach(() => {
  keepUnsent(undefined);
  vi.unstubAllGlobals();
});

it("begins at once on the stand-in, with words that it knows", async () => {
  const asked = gateway(({ path }) => ({ body: path === "/v1/fs" ? { items: [{ path: "/p", kind: "directory" }] } : { id: "s" } }));
  const [idea] = ideasFor(true);
  if (idea) begin(idea, true);
  await vi.waitFor(() => expect(location.pathname).toBe("/s/s"));
  expect(asked.filter(({ method }) => method === "POST").map(({ path, body }) => [path, body])).toEqual([
    ["/v1/sessions", { cwd: "/p", backend: "rehearsal", name: "Demonstration", permission_mode: "default" }],
    ["/v1/sessions/s/messages", { text: "Give me the tour" }],
  ]);
});

it("asks on Codex where to work first, and keeps the words", () => {
  const [idea] = ideasFor(false);
  if (idea) begin(idea, false);
  expect(location.pathname).toBe("/new");
  expect(begun().message).toBe(idea?.words);
});
