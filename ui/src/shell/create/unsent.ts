// What was filled in for a new session and not yet sent: it is still there after a look elsewhere.
import { type Choices, lastChoices } from "./choices";

let unsent: Choices | undefined;

export const begun = (): Choices => unsent ?? lastChoices();

export const keepUnsent = (choices: Choices | undefined): void => void (unsent = choices);

/** The next form has this as its first message. */
export const beginWith = (message: string): void => keepUnsent({ ...begun(), message });
