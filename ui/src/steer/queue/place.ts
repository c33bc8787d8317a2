// Where a message of the queue goes. Places count from 0.

/** One place earlier or later, or nothing at the ends. */
export function beside(place: number, by: -1 | 1, length: number): number | undefined {
  const next = place + by;
  return next < 0 || next >= length ? undefined : next;
}

/** Dropped on another: it takes that one's place. */
export function droppedOn(queue: readonly string[], dragged: string, target: string): number | undefined {
  const from = queue.indexOf(dragged);
  const to = queue.indexOf(target);
  return from < 0 || to < 0 || from === to ? undefined : to;
}
