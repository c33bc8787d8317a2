import { useEffect } from "react";
import { useRoute } from "../lib/route";
import { fleet, watchFleet } from "../model/fleet";
import { useStore } from "../model/store";
import { watchOutboxes } from "../steer/composer/deliver";
import { useAttention } from "../steer/useAttention";
import styles from "./App.module.css";
import { useFilterInAddress } from "./filter/store";
import { sheet, useFolded, useNarrow } from "./layout";
import { Page } from "./Page";
import { onKey } from "./shortcuts";
import { ShortcutSheet } from "./ShortcutSheet";
import { Sidebar } from "./sidebar/Sidebar";
import { SidebarSheet } from "./sidebar/SidebarSheet";
import { Toasts } from "./Toasts";
import { Banners } from "./world/Banners";
import { LetIn } from "./world/LetIn";
import { useRehearsal } from "./world/useRehearsal";
import { watchWorld } from "./world/world";

export function App() {
  const route = useRoute();
  const narrow = useNarrow();
  const folded = useFolded();
  const refused = useStore(fleet, (state) => state.refused);
  const rehearsal = useRehearsal(route);
  useEffect(watchFleet, []);
  useEffect(watchWorld, []);
  useEffect(watchOutboxes, []);
  useAttention();
  useFilterInAddress();
  useEffect(() => sheet.set(false), [route]);
  useEffect(() => {
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  if (refused) return <LetIn refused={refused} />;
  return (
    <div className={styles.app} data-alone={narrow || folded || undefined}>
      <a href="#main" className={styles.skip}>
        Skip to the page
      </a>
      {narrow ? <SidebarSheet /> : !folded && <Sidebar />}
      <main id="main" tabIndex={-1} className={styles.main}>
        <Banners rehearsal={rehearsal} />
        <Page route={route} />
      </main>
      <Toasts />
      <ShortcutSheet />
    </div>
  );
}
