// State of a card that may be scrolled out of the page and come back: what was filled in is still there. In memory only, because
// it may be a secret.
import { type Dispatch, type SetStateAction, useEffect, useState } from "react";

const memory = new Map<string, unknown>();

export function useRemembered<State>(key: string, initial: State): [State, Dispatch<SetStateAction<State>>] {
  const [state, setState] = useState(() => (memory.has(key) ? (memory.get(key) as State) : initial));
  useEffect(() => void memory.set(key, state), [key, state]);
  return [state, setState];
}
