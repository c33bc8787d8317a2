// What a session holds besides its events: what it changed, and what was attached to its messages.
import { askText } from "../api/client";

const at = (id: string, rest: string): string => `/v1/sessions/${encodeURIComponent(id)}${rest}`;

/** Everything it changed since it began, as a unified diff. */
export const diffOf = (id: string, signal: AbortSignal): Promise<string> => askText(at(id, "/diff"), signal);

/** The picture that an event's item names by a path on the gateway's machine. */
export const pictureOfEvent = (id: string, seq: number): string => at(id, `/events/${seq}/picture`);

/** Where a picture of a message lies. */
export const attachment = (id: string, sha256: string): string => at(id, `/files/${encodeURIComponent(sha256)}`);
