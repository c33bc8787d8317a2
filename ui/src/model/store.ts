// A value that components watch: it changes, and whoever watches is told once per frame at most.
import { useSyncExternalStore } from "react";

export interface Store<State> {
  get(): State;
  subscribe(changed: () => void): () => void;
}

export class Cell<State> implements Store<State> {
  private state: State;
  private readonly watchers = new Set<() => void>();

  constructor(state: State) {
    this.state = state;
  }

  readonly get = (): State => this.state;

  readonly subscribe = (changed: () => void): (() => void) => {
    this.watchers.add(changed);
    return () => this.watchers.delete(changed);
  };

  set(state: State): void {
    if (Object.is(state, this.state)) return;
    this.state = state;
    for (const changed of this.watchers) changed();
  }

  update(change: (state: State) => State): void {
    this.set(change(this.state));
  }
}

export function useStore<State>(store: Store<State>): State;
export function useStore<State, Part>(store: Store<State>, part: (state: State) => Part): Part;
export function useStore<State, Part>(store: Store<State>, part?: (state: State) => Part): State | Part {
  const look = () => (part ? part(store.get()) : store.get());
  return useSyncExternalStore(store.subscribe, look);
}
