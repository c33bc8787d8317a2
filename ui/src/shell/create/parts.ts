// What each part of the form works on.
import type { Choices } from "./choices";
import type { Faults } from "./faults";

export interface FormPart {
  choices: Choices;
  faults: Faults;
  choose(change: Partial<Choices>): void;
}
