// Directories in which people worked: those of the sessions, the newest first.
import { fleet } from "../../model/fleet";
import type { KnownSession } from "../known";
import { projects } from "../sidebar/groups";

export const recentDirectories = (sessions: Iterable<KnownSession> = fleet.get().sessions.values()): string[] =>
  projects(sessions).map(({ path }) => path);
