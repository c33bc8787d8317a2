import { Circle, CircleCheck, CircleDot, ListTodo } from "lucide-react";
import type { PlanEntry } from "../../model/entry";
import styles from "./Plan.module.css";

const ICONS = { completed: CircleCheck, inProgress: CircleDot, in_progress: CircleDot } as const;
const WORDS: Record<string, string> = { completed: "Done", inProgress: "Under way", in_progress: "Under way" };

/** The plan as it stands, as a checklist. */
export function Plan({ entry }: { entry: PlanEntry }) {
  const done = entry.steps.filter((step) => step.status === "completed").length;
  return (
    <section className={styles.plan} aria-label="Plan">
      <p className={styles.head}>
        <ListTodo size={14} aria-hidden /> Plan
        <span className={styles.count}>
          {done} of {entry.steps.length} done
        </span>
      </p>
      <ol className={styles.steps}>
        {entry.steps.map(({ step, status }, at) => {
          const Icon = ICONS[status as keyof typeof ICONS] ?? Circle;
          return (
            <li key={at} className={styles.step} data-status={status.replace("_p", "P")}>
              <Icon size={16} aria-hidden />
              <span className="visually-hidden">{WORDS[status] ?? "To do"}: </span>
              <span>{step}</span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
