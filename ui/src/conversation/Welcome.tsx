import { lastPart } from "../lib/format";
import { draftOf, giveBack, setText } from "../steer/composer/drafts";
import { usePlace } from "./context";
import styles from "./Welcome.module.css";

const IDEAS = [
  ["Understand", "What does this project do, and where does it begin?"],
  ["Change", "Add a test for the parser, and make it pass."],
  ["Repair", "The build fails since yesterday. Find out why."],
  ["Review", "Look at the changes on this branch. What would you object to?"],
] as const;

/** The first screen of a session: what one can ask. An idea that is chosen can be changed before it is sent. */
export function Welcome() {
  const { sessionId, cwd } = usePlace();
  return (
    <section className={styles.welcome} aria-labelledby="welcome">
      <h2 id="welcome" className={styles.title}>
        What shall be done{cwd ? ` in ${lastPart(cwd)}` : ""}?
      </h2>
      <p className={styles.words}>Write below what you want, as you would to a colleague, or begin with one of these:</p>
      <ul className={styles.ideas}>
        {IDEAS.map(([kind, words]) => (
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
  if (IDEAS.some(([, idea]) => idea === text)) setText(sessionId, words);
  else giveBack(sessionId, { text: words, pictures: [] });
  document.querySelector<HTMLElement>("[data-composer]")?.focus();
}
