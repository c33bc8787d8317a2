// What one could say to the stand-in: words that the scenario of the demonstration answers.

export interface Idea {
  kind: string;
  words: string;
}

export const FOR_REHEARSAL: readonly Idea[] = [
  { kind: "See it all", words: "Give me the tour" },
  { kind: "Be asked", words: "Run a command" },
  { kind: "See a change", words: "Write a file" },
  { kind: "See a plan", words: "Make a plan" },
];
