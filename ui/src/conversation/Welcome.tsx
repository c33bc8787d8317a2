import { lastPart } from "../lib/format";
import styles from "./Welcome.module.css";

const IDEAS = [
  ["Understand", "What does this project do, and where does it begin?"],
  ["Change", "Add a test for the parser, and make it pass."],
  ["Repair", "The build fails since yesterday. Find out why."],
  ["Review", "Look at the changes on this branch. What would you object to?"],
] as const;

/** The first screen of a session: what one can ask. */
export function Welcome({ cwd }: { cwd: string | undefined }) {
  return (
    <section className={styles.welcome} aria-labelledby="welcome">
      <h2 id="welcome" className={styles.title}>
        What shall be done{cwd ? ` in ${lastPart(cwd)}` : ""}?
      </h2>
      <p className={styles.words}>Write below what you want, as you would to a colleague. For example:</p>
      <ul className={styles.ideas}>
        {IDEAS.map(([kind, words]) => (
          <li key={kind} className={styles.idea}>
            <span className={styles.kind}>{kind}</span>
            {words}
          </li>
        ))}
      </ul>
    </section>
  );
}
