// What the browser keeps for us. It may be full or forbidden: then the page works, and only forgets sooner.

const name = (key: string): string => `selvedge.${key}`;

export function recall<Value>(storage: () => Storage, key: string): Value | undefined {
  try {
    const text = storage().getItem(name(key));
    return text === null ? undefined : (JSON.parse(text) as Value);
  } catch {
    return undefined;
  }
}

/** `undefined` forgets. Whether it is kept. */
export function keep(storage: () => Storage, key: string, value: unknown): boolean {
  try {
    if (value === undefined) storage().removeItem(name(key));
    else storage().setItem(name(key), JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Another tab changed what is kept for good. */
export function whenChangedElsewhere(key: string, act: () => void): void {
  addEventListener("storage", (event) => event.key === name(key) && act());
}

export const forGood = (): Storage => localStorage;
export const forThisTab = (): Storage => sessionStorage;

/** What is kept under names that begin so. */
export function keptKeys(storage: () => Storage, prefix: string): string[] {
  const begin = name(prefix);
  const unnamed = begin.length - prefix.length;
  try {
    return Object.keys(storage()).filter((key) => key.startsWith(begin)).map((key) => key.slice(unnamed));
  } catch {
    return [];
  }
}
