import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { SessionSummary } from "../../api/types";
import { fleet } from "../../model/fleet";
import { conversation, gateway, holding, message } from "../testing";
import { HeldBar } from "./HeldBar";

const session = (held: boolean) => ({ id: "h", cwd: "/", state: "idle", held }) as SessionSummary;
const waiting = conversation({ ...holding(message("1", "one")), queue: ["1"] });

describe("a held queue", () => {
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
    fleet.update((state) => ({ ...state, sessions: new Map() }));
  });

  it("is asked about, said, and let go", async () => {
    let held = true;
    const asked = gateway(({ path }) => {
      if (path.endsWith("/start")) held = false;
      return { body: session(held) };
    });
    await act(async () => render(<HeldBar sessionId="h" conversation={waiting} />));
    expect(screen.getByRole("status").textContent).toContain("The queue is held");
    await act(async () => fireEvent.click(screen.getByRole("button", { name: "Go on" })));
    expect(asked.map(({ method, path }) => `${method} ${path}`)).toContain("POST /v1/sessions/h/start");
    expect(screen.queryByRole("status")).toBeNull();
  });

  it("is none while the agent works, and is not asked about then", async () => {
    const asked = gateway(() => ({ body: session(true) }));
    await act(async () => render(<HeldBar sessionId="h" conversation={{ ...waiting, lifecycle: "running" }} />));
    expect(screen.queryByRole("status")).toBeNull();
    expect(asked).toHaveLength(0);
  });

  it("says why a session has failed", () => {
    gateway(() => ({ body: session(false) }));
    render(<HeldBar sessionId="h" conversation={{ ...waiting, lifecycle: "failed", reason: "Codex ended again and again; the end of its stderr:\nERROR x." }} />);
    expect(screen.getByRole("status").textContent).toContain("Codex ended again and again. One message waits.");
  });
});
