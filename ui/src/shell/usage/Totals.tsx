import { count, dollars } from "../../lib/format";
import { isSession } from "./bars";
import styles from "./Totals.module.css";
import type { Report } from "./useReport";

/** The sums, at the top. */
export function Totals({ total, sessions }: { total: Report["total"]; sessions: readonly string[] }) {
  const { usage, cost_usd, turns } = total;
  const there = sessions.filter(isSession).length;
  const places = `in ${there} ${there === 1 ? "session" : "sessions"}${there < sessions.length ? " and removed ones" : ""}`;
  const cached = usage.input > 0 ? Math.round((usage.cached_input / usage.input) * 100) : 0;
  const figures = [
    { label: "Cost", value: cost_usd == null ? "–" : dollars(cost_usd), more: cost_usd == null ? "no prices are set" : "where prices are known" },
    // Journals from before turns were counted have none.
    ...(turns > 0 ? [{ label: "Turns", value: count(turns), more: places }] : []),
    { label: "Tokens", value: count(usage.total), more: turns > 0 ? `${count(Math.round(usage.total / turns))} in a turn` : places },
    { label: "Input", value: count(usage.input), more: `${cached} % from the cache` },
    { label: "Output", value: count(usage.output), more: `${count(usage.reasoning_output)} for reasoning` },
  ];
  return (
    <dl className={styles.totals}>
      {figures.map(({ label, value, more }) => (
        <div key={label} className={styles.figure}>
          <dt className={styles.label}>{label}</dt>
          <dd className={styles.value}>{value}</dd>
          <dd className={styles.more}>{more}</dd>
        </div>
      ))}
    </dl>
  );
}
