// What waits for a person is said in the title, to screen readers, and in a notification while the page is hidden.
import { useEffect } from "react";
import { fleet } from "../model/fleet";
import { useStore } from "../model/store";

export function useAttention(): void {
  const waiting = useStore(fleet, (state) => state.approvals.length);
  useEffect(() => {
    document.title = waiting > 0 ? `(${waiting}) Selvedge` : "Selvedge";
  }, [waiting]);
}
