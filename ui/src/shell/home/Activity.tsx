import { Link } from "../../parts/Link";
import { byDay, largest, modelName } from "../usage/bars";
import { DayChart } from "../usage/DayChart";
import { RankChart } from "../usage/RankChart";
import { said } from "../usage/said";
import usage from "../usage/UsagePage.module.css";
import { useReport } from "../usage/useReport";
import styles from "./Overview.module.css";

const DAYS = 14;
const MOST = 5;

/** What all sessions used lately, in two small charts; all of it is on the usage page. */
export function Activity() {
  const days = useReport("day");
  const models = useReport("model");
  if (!days || !models || days.total.usage.total === 0) return null;
  const { words, short, about, beside } = said("tokens", days.total);
  return (
    <section aria-label="Used">
      <h2 className={styles.title}>
        Used{" "}
        <Link to={{ page: "usage" }} className={styles.all}>
          All usage
        </Link>
      </h2>
      <div className={usage["two"]}>
        <div className={usage["card"]}>
          <h3 className={usage["title"]}>Last {DAYS} days</h3>
          <DayChart title="Used by day" bars={byDay(days.items, "tokens", DAYS)} words={words} about={about} />
        </div>
        <div className={usage["card"]}>
          <h3 className={usage["title"]}>By model</h3>
          <RankChart title="Used by model" bars={largest(models.items, "tokens", MOST, modelName)} words={short} beside={beside} />
        </div>
      </div>
    </section>
  );
}
