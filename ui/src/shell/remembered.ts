// What the page keeps in this browser: choices, and nothing that matters. A browser that keeps nothing is no error.

export interface Remembered<Value> {
  get(): Value;
  set(value: Value): void;
}

export function remembered<Value>(name: string, otherwise: Value): Remembered<Value> {
  const key = `selvedge.${name}`;
  return {
    get() {
      try {
        const text = localStorage.getItem(key);
        return text === null ? otherwise : (JSON.parse(text) as Value);
      } catch {
        return otherwise;
      }
    },
    set(value) {
      try {
        localStorage.setItem(key, JSON.stringify(value));
      } catch {
        // Full, or forbidden: it is forgotten.
      }
    },
  };
}
