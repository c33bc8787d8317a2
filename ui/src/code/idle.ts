// Work that can wait: one piece at a time, when the page has nothing better to do. The answer takes it back.

type Task = () => void;
const waiting = new Set<Task>();
let asked = false;

export function whenIdle(task: Task): () => void {
  waiting.add(task);
  ask();
  return () => waiting.delete(task);
}

function ask(): void {
  if (asked || waiting.size === 0) return;
  asked = true;
  // Not every browser says when it is idle.
  if (typeof requestIdleCallback === "function") requestIdleCallback(next, { timeout: 500 });
  else setTimeout(next, 1);
}

function next(): void {
  asked = false;
  const [task] = waiting;
  if (!task) return;
  waiting.delete(task);
  task();
  ask();
}
