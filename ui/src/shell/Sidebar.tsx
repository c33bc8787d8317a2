import { address, go } from "../lib/route";
import { fleet } from "../model/fleet";
import { useStore } from "../model/store";
import { StateDot } from "../parts/StateDot";

export function Sidebar() {
  const sessions = useStore(fleet, (state) => state.sessions);
  return (
    <nav aria-label="Sessions">
      {[...sessions.values()].map((session) => {
        const to = { page: "session", id: session.id, view: "talk" } as const;
        return (
          <a key={session.id} href={address(to)} onClick={(event) => (event.preventDefault(), go(to))}>
            <StateDot state={session.state} /> {session.name ?? session.id}
          </a>
        );
      })}
    </nav>
  );
}
