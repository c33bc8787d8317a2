import { useEffect } from "react";
import { useRoute } from "../lib/route";
import { watchFleet } from "../model/fleet";
import styles from "./App.module.css";
import { Session } from "./Session";
import { Sidebar } from "./Sidebar";

export function App() {
  const route = useRoute();
  useEffect(watchFleet, []);
  return (
    <div className={styles.app}>
      <Sidebar />
      <main className={styles.main}>{route.page === "session" ? <Session key={route.id} id={route.id} view={route.view} /> : null}</main>
    </div>
  );
}
