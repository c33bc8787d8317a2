import { count, dollars, duration } from "../../lib/format";
import type { TurnLine } from "./turns";
import styles from "./TurnTable.module.css";

/** What each turn used, the newest first. */
export function TurnTable({ turns, priced }: { turns: TurnLine[]; priced: boolean }) {
  return (
    <div className={styles.scroll} role="region" aria-label="Usage by turn" tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Turn</th>
            <th scope="col">Took</th>
            <th scope="col">Input</th>
            <th scope="col">Cached</th>
            <th scope="col">Output</th>
            <th scope="col">Reasoning</th>
            <th scope="col">Total</th>
            {priced ? <th scope="col">Cost</th> : null}
          </tr>
        </thead>
        <tbody>
          {turns.map(({ turn, asked, costUsd }) => (
            <tr key={turn.id}>
              <th scope="row" title={asked}>
                {asked}
                {turn.status && turn.status !== "completed" ? <span className={styles.status}>{turn.status}</span> : null}
              </th>
              <td>{turn.durationMs === undefined ? "running" : duration(turn.durationMs)}</td>
              <td>{figure(turn.usage?.input)}</td>
              <td>{figure(turn.usage?.cached_input)}</td>
              <td>{figure(turn.usage?.output)}</td>
              <td>{figure(turn.usage?.reasoning_output)}</td>
              <td>{figure(turn.usage?.total)}</td>
              {priced ? <td>{costUsd === undefined ? "–" : dollars(costUsd)}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const figure = (tokens: number | undefined): string => (tokens === undefined ? "–" : count(tokens));
