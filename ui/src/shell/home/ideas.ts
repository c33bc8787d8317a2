// What one could begin with: on the stand-in with words that it knows, at once; on Codex the directory is chosen first.
import { FOR_REHEARSAL, type Idea } from "../../lib/ideas";
import { go } from "../../lib/route";
import { beginWith } from "../create/unsent";
import { demonstrate } from "../world/demonstrate";

const FOR_CODEX: readonly Idea[] = [
  { kind: "Understand", words: "What does this project do, and where does it begin?" },
  { kind: "Repair", words: "Run the tests. If one fails, find out why and mend it." },
  { kind: "Review", words: "Look at the changes on this branch. What would you object to?" },
];

export const ideasFor = (rehearsal: boolean): readonly Idea[] => (rehearsal ? FOR_REHEARSAL.slice(0, 3) : FOR_CODEX);

export function begin({ words }: Idea, rehearsal: boolean): void {
  if (rehearsal) return void demonstrate(words);
  beginWith(words);
  go({ page: "new" });
}
