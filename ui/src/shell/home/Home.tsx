import { fleet } from "../../model/fleet";
import { useStore } from "../../model/store";
import { CodexMissing } from "../world/CodexMissing";
import { defaultBackend, world } from "../world/world";
import { PageHead } from "../PageHead";
import { FirstScreen } from "./FirstScreen";
import { Overview } from "./Overview";

/** All agents at a glance; before there are any, what this is. */
export function Home() {
  const listed = useStore(fleet, (state) => state.listed);
  const some = useStore(fleet, (state) => [...state.sessions.values()].some((session) => !session.archived));
  const backend = useStore(world, (state) => defaultBackend(state.backends));
  return (
    <>
      <PageHead title="Overview" />
      {backend && !backend.found && !some ? <CodexMissing backend={backend} /> : some ? <Overview missing={backend?.found === false} /> : listed && <FirstScreen />}
    </>
  );
}
