import { useState } from "react";
import { fleet } from "../../model/fleet";
import { useStore } from "../../model/store";
import { QuietSelect } from "../../parts/QuietSelect";
import { PageHead } from "../PageHead";
import { firstWords, titleOf } from "../title";
import { byDay, isSession, largest, type Measure, modelName, sessionName } from "./bars";
import { DayChart } from "./DayChart";
import { RankChart } from "./RankChart";
import { areTurnsCounted, said } from "./said";
import { Totals } from "./Totals";
import styles from "./UsagePage.module.css";
import { useReport } from "./useReport";

const DAYS = 30;
const MOST = 8;

/** What all sessions used, by day, by model and by session. */
export function UsagePage() {
  const days = useReport("day");
  const models = useReport("model");
  const perSession = useReport("session");
  const sessions = useStore(fleet, (state) => state.sessions);
  const titles = useStore(firstWords);
  const [measure, setMeasure] = useState<Measure>("tokens");
  const { words, short, about, beside } = said(measure, days?.total);
  const counted = areTurnsCounted(days?.total);
  const titled = (key: string) => sessionName(key, (id) => titleOf({ id, name: sessions.get(id)?.name ?? null }, titles));
  const empty = days?.total.usage.total === 0;
  const priced = days?.total.cost_usd != null;
  return (
    <>
      <PageHead title="Usage">
        {(priced || counted) && (
          <QuietSelect
            label="What is shown"
            value={measure}
            options={[
              { value: "tokens", label: "Tokens" },
              ...(counted ? [{ value: "turns", label: "Turns" }] : []),
              ...(priced ? [{ value: "cost", label: "Cost" }] : []),
            ]}
            onChange={(chosen) => setMeasure(chosen === "cost" || chosen === "turns" ? chosen : "tokens")}
          />
        )}
      </PageHead>
      <div className={styles.page}>
        {days && perSession && <Totals total={days.total} sessions={perSession.items.map(({ key }) => key)} />}
        {empty && <p className={styles.empty}>Nothing was used yet. Figures appear with the first answer.</p>}
        {days && !empty && (
          <section className={styles.card}>
            <h2 className={styles.title}>Last {DAYS} days</h2>
            <DayChart title="Used by day" bars={byDay(days.items, measure, DAYS)} words={words} about={about} />
          </section>
        )}
        {!empty && (
          <div className={styles.two}>
            <section className={styles.card}>
              <h2 className={styles.title}>By model</h2>
              {models && <RankChart title="Used by model" bars={largest(models.items, measure, MOST, modelName)} words={short} beside={beside} />}
            </section>
            <section className={styles.card}>
              <h2 className={styles.title}>By session</h2>
              {perSession && <RankChart title="Used by session" bars={largest(perSession.items, measure, MOST, titled)} words={short} beside={beside} linked={isSession} />}
            </section>
          </div>
        )}
      </div>
    </>
  );
}
