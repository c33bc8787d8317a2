// Every key of this part of the page, in one table: the shell's sheet shows it, and the keys do what it says.
export interface Shortcut {
  keys: readonly string[];
  does: string;
}

export interface ShortcutGroup {
  title: string;
  shortcuts: readonly Shortcut[];
}

/** One scheme for answers: single letters, and only while the card itself has the focus. Nothing is accepted by typing elsewhere. */
export const ANSWER_KEYS = { accept: "a", session: "s", always: "r", decline: "d", cancel: "c" } as const;

export const STEER_SHORTCUTS: readonly ShortcutGroup[] = [
  {
    title: "Write",
    shortcuts: [
      { keys: ["Enter"], does: "Send (on a phone: new line)" },
      { keys: ["Shift", "Enter"], does: "New line" },
      { keys: ["Ctrl", "Enter"], does: "Send, everywhere" },
      { keys: ["↑"], does: "What you sent before, from the first line" },
      { keys: ["↓"], does: "Back to what you were writing, from the last line" },
      { keys: ["/"], does: "Commands" },
      { keys: ["@"], does: "Files of the project" },
      { keys: ["Esc", "Esc"], does: "Stop the agent" },
    ],
  },
  {
    title: "Read",
    shortcuts: [
      { keys: ["J"], does: "Next turn" },
      { keys: ["K"], does: "Turn before" },
      { keys: ["Home"], does: "To the beginning" },
      { keys: ["End"], does: "To the end, and follow it" },
    ],
  },
  {
    title: "Lines of a diff",
    shortcuts: [
      { keys: ["↓"], does: "Next line" },
      { keys: ["↑"], does: "Line before" },
      { keys: ["Shift", "↓"], does: "More lines" },
      { keys: ["C"], does: "Comment on them" },
      { keys: ["Esc"], does: "Let go of them" },
    ],
  },
  {
    title: "Queue",
    shortcuts: [
      { keys: ["Alt", "↑"], does: "Move the message in focus earlier" },
      { keys: ["Alt", "↓"], does: "Move it later" },
      { keys: ["Enter"], does: "Edit it" },
      { keys: ["Delete"], does: "Take it back" },
    ],
  },
  {
    title: "Answer",
    shortcuts: [
      { keys: ["Alt", "W"], does: "Go to what waits for you" },
      { keys: ["A"], does: "Accept" },
      { keys: ["S"], does: "Accept for the session" },
      { keys: ["R"], does: "Accept, and make it a rule" },
      { keys: ["D"], does: "Decline, with a message if you like" },
      { keys: ["C"], does: "Decline and end the turn" },
    ],
  },
  {
    title: "Inbox",
    shortcuts: [
      { keys: ["J"], does: "Next" },
      { keys: ["K"], does: "Previous" },
    ],
  },
];
