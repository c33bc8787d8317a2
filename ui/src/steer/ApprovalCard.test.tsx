import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ApprovalCard } from "./ApprovalCard";
import { approval, gateway } from "./testing";

const command = (id: string) =>
  approval("command", { command: "cargo test", cwd: "/work", reason: "May I?", proposedExecpolicyAmendment: ["cargo", "test"] }, id);
const card = () => screen.getByRole("article");

describe("a card", () => {
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  it("shows what would run, where, why, and what the lasting answers mean", () => {
    render(<ApprovalCard approval={command("c0")} />);
    expect(card().textContent).toContain("May I?");
    expect(card().textContent).toContain("/work");
    expect(card().textContent).toContain("every command that begins with cargo test runs without asking");
    expect(card().textContent).toContain("until this session's Codex ends");
  });

  it.each([
    ["a", { decision: "accept" }],
    ["s", { decision: "accept_for_session" }],
    ["r", { decision: "accept", amendment: ["cargo", "test"] }],
    ["c", { decision: "cancel" }],
  ])("answers by the key %s", async (key, body) => {
    const asked = gateway();
    render(<ApprovalCard approval={command(`c-${key}`)} />);
    await act(async () => fireEvent.keyDown(card(), { key }));
    expect(asked).toMatchObject([{ method: "POST", path: `/v1/approvals/c-${key}`, body }]);
  });

  it("does not answer by a key that is held, or with Ctrl", () => {
    const asked = gateway();
    render(<ApprovalCard approval={command("c1")} />);
    fireEvent.keyDown(card(), { key: "a", repeat: true });
    fireEvent.keyDown(card(), { key: "a", ctrlKey: true });
    expect(asked).toHaveLength(0);
  });

  it("declines with a message, in which letters are letters", async () => {
    const asked = gateway();
    render(<ApprovalCard approval={command("c2")} />);
    fireEvent.keyDown(card(), { key: "d" });
    const field = screen.getByLabelText(/What should it do instead/);
    fireEvent.keyDown(field, { key: "a" });
    expect(asked).toHaveLength(0);
    fireEvent.change(field, { target: { value: "use nextest" } });
    await act(async () => fireEvent.keyDown(field, { key: "Enter" }));
    expect(asked[0]?.body).toEqual({ decision: "decline", message: "use nextest" });
  });

  it("says who was first", async () => {
    const detail = "it was answered before, by eva/cli";
    gateway(() => ({ status: 409, body: { code: "already_answered", title: "x", detail, status: 409 } }));
    render(<ApprovalCard approval={command("c3")} />);
    await act(async () => fireEvent.keyDown(card(), { key: "a" }));
    await waitFor(() => expect(screen.getByRole("alert").textContent).toContain("by eva/cli"));
    expect(screen.queryByRole("button", { name: /Accept/ })).toBeNull();
  });

  it("closes when somebody else answered, and says by whom", () => {
    render(<ApprovalCard approval={command("c4")} resolved={{ decision: "decline", by: "eva/cli", message: "no" }} />);
    expect(screen.getByRole("status").textContent).toBe("Declined by eva (cli): cargo test“no”");
    expect(screen.queryByRole("article")).toBeNull();
  });

  it("knows after a reload, and in another tab, that the answer was one's own", async () => {
    gateway();
    render(<ApprovalCard approval={command("c5")} />);
    await act(async () => fireEvent.keyDown(card(), { key: "a" }));
    cleanup();
    vi.resetModules();
    const { ApprovalCard: Reloaded } = await import("./ApprovalCard");
    const resolved = { decision: "accept", by: "own/http" };
    render(<Reloaded approval={command("c5")} resolved={resolved} />);
    expect(screen.getByRole("status").textContent).toBe("Accepted by you: cargo test");
    cleanup();
    render(<Reloaded approval={command("c6")} resolved={resolved} />);
    expect(screen.getByRole("status").textContent).toBe("Accepted in another window or program: cargo test");
    localStorage.setItem("selvedge.answered", JSON.stringify(["c6"]));
    act(() => void dispatchEvent(new StorageEvent("storage", { key: "selvedge.answered" })));
    expect(screen.getByRole("status").textContent).toBe("Accepted by you: cargo test");
  });

  it("looks up what a file change would change", async () => {
    const item = { type: "fileChange", id: "i1", changes: [{ path: "a.md", kind: { type: "add" }, diff: "# Hi\n" }] };
    gateway(({ path }) =>
      path.includes("/events") ? { body: { events: [{ type: "item.started", item_id: "i1", data: { item } }] } } : { body: { last_seq: 9 } },
    );
    render(<ApprovalCard approval={approval("file_change", { itemId: "i1" }, "f1")} />);
    await waitFor(() => expect(screen.getByLabelText("Diff of a.md").textContent).toContain("# Hi"));
  });

  it("asks questions as a form, and takes only what is answered", async () => {
    const asked = gateway();
    const options = [{ label: "Yes", description: "y" }, { label: "No", description: "n" }];
    const questions = [
      { id: "q1", header: "H", question: "Proceed?", isOther: false, isSecret: false, options },
      { id: "q2", header: "K", question: "The key", isOther: false, isSecret: true, options: null },
    ];
    render(<ApprovalCard approval={approval("user_input", { questions }, "u1")} />);
    fireEvent.click(screen.getByRole("button", { name: /Answer/ }));
    expect(card().textContent).toContain("Choose one.");
    expect(asked).toHaveLength(0);
    fireEvent.click(screen.getByLabelText(/Yes/));
    const secret = screen.getByLabelText<HTMLInputElement>("The key");
    expect(secret.type).toBe("password");
    fireEvent.change(secret, { target: { value: "s3cret" } });
    await act(async () => fireEvent.click(screen.getByRole("button", { name: /Answer/ })));
    expect(asked[0]?.body).toEqual({ decision: "accept", answers: { q1: ["Yes"], q2: ["s3cret"] } });
  });

  it("offers only what the gateway takes", () => {
    render(<ApprovalCard approval={approval("permissions", { permissions: { network: { enabled: true } } }, "p1")} />);
    expect(card().textContent).toContain("Use the network");
    expect(screen.queryByRole("button", { name: /Cancel/ })).toBeNull();
    cleanup();
    render(<ApprovalCard approval={approval("elicitation", { mode: "url", url: "javascript:alert(1)", message: "Go" }, "e1")} />);
    expect(screen.queryByRole("link")).toBeNull();
    expect(screen.queryByRole("button", { name: /For session/ })).toBeNull();
  });
});
