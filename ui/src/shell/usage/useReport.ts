// What all sessions used, summed up by the gateway: asked when the page is opened, and again when work has ended.
import { useEffect, useState } from "react";
import { ask } from "../../api/client";
import type { components } from "../../api/schema";
import { fleet } from "../../model/fleet";
import { useStore } from "../../model/store";
import { glance } from "../../parts/StateDot";

export type Report = components["schemas"]["UsageReport"];
export type UsageItem = Report["items"][number];
export type Group = Report["group"];

export function useReport(group: Group): Report | undefined {
  const [report, setReport] = useState<Report>();
  const working = useStore(fleet, ({ sessions }) => [...sessions.values()].filter(({ state }) => glance(state) === "working").length);
  useEffect(() => {
    const stop = new AbortController();
    ask<Report>("GET", `/v1/usage?group=${group}`, { signal: stop.signal }).then(setReport, () => undefined);
    return () => stop.abort();
  }, [group, working]);
  return report;
}
