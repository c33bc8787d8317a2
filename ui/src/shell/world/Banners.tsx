import { FlaskConical, Unplug } from "lucide-react";
import { useEffect, useState } from "react";
import { fleet } from "../../model/fleet";
import { useStore } from "../../model/store";
import styles from "./Banners.module.css";

/** Gone from the first failure until the stream is there again: trying is not being back. */
function useGatewayGone(): boolean {
  const connection = useStore(fleet, (state) => state.connection);
  const [gone, setGone] = useState(false);
  useEffect(() => {
    if (connection === "away") setGone(true);
    else if (connection === "live") setGone(false);
  }, [connection]);
  return gone;
}

const WORDS = ["run", "write", "plan", "tour"];

/** What one has to know before anything else on the page. */
export function Banners({ rehearsal }: { rehearsal: boolean }) {
  const gone = useGatewayGone();
  return (
    <>
      <div role="status" className={styles.live}>
        {gone && (
          <p className={styles.gone}>
            <Unplug size={14} aria-hidden />
            <span>
              <strong>The gateway does not answer;</strong> trying again. Nothing is lost: the page goes on when it is back.
            </span>
          </p>
        )}
      </div>
      {rehearsal && (
        <p className={styles.rehearsal}>
          <FlaskConical size={14} aria-hidden />
          <span>
            <strong>This is a rehearsal:</strong> no model is asked. Words it knows: {WORDS.map((word) => <code key={word}>{word}</code>)}
          </span>
        </p>
      )}
    </>
  );
}
