import { lastPart } from "../lib/format";
import { FOR_REHEARSAL, type Idea } from "../lib/ideas";
import { fleet } from "../model/fleet";
import { useStore } from "../model/store";
import { draftOf, giveBack, setText } from "../steer/composer/drafts";
import { usePlace } from "./context";
import styles from "./Welcome.module.css";

const FOR_CODEX: readonly Idea[] = [
  { kind: "Understand", words: "What does this project do, and where does it begin?" },
  { kind: "Change", words: "Add a test for the parser, and make it pass." },
  { kind: "Repair", words: "The build fails since yesterday. Find out why." },
  { kind: "Review", words: "Look at the changes on this branch. What would you object to?" },
];

/** The first screen of a session: what one can ask. An idea that is chosen can be changed before it is sent. */
export function Welcome() {
  const { sessionId, cwd } = usePlace();
  const rehearsal = useStore(fleet, ({ sessions }) => sessions.get(sessionId)?.backend.kind === "rehearsal");
  const ideas = rehearsal ? FOR_REHEARSAL : FOR_CODEX;
  return (
    <section className={styles.welcome} aria-labelledby="welcome">
      <h2 id="welcome" className={styles.title}>
        What shall be done{cwd ? ` in ${lastPart(cwd)}` : ""}?
      </h2>
      <p className={styles.words}>
        {rehearsal
          ? "No model thinks here: the stand-in plays a scenario. It knows these words:"
          : "Write below what you want, as you would to a colleague, or begin with one of these:"}
      </p>
      <ul className={styles.ideas}>
        {ideas.map(({ kind, words }) => (
          <li key={kind}>
            <button type="button" className={styles.idea} onClick={() => begin(sessionId, words)}>
              <span className={styles.kind}>{kind}</span>
              {words}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** An idea takes another's place; what somebody wrote stays. */
function begin(sessionId: string, words: string): void {
  const { text } = draftOf(sessionId).get();
  if ([...FOR_CODEX, ...FOR_REHEARSAL].some((idea) => idea.words === text)) setText(sessionId, words);
  else giveBack(sessionId, { text: words, pictures: [] });
  document.querySelector<HTMLElement>("[data-composer]")?.focus();
}
