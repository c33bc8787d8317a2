// Whether what is in focus is answered by the stand-in: it is always said.
import type { Route } from "../../lib/route";
import { fleet } from "../../model/fleet";
import { useStore } from "../../model/store";
import { defaultBackend, world } from "./world";

export function useRehearsal(route: Route): boolean {
  const standsIn = useStore(world, ({ backends }) => defaultBackend(backends)?.kind === "rehearsal");
  const session = route.page === "session" ? route.id : undefined;
  const itsOwn = useStore(fleet, ({ sessions }) => (session ? sessions.get(session)?.backend.kind : undefined));
  return itsOwn ? itsOwn === "rehearsal" : standsIn;
}
