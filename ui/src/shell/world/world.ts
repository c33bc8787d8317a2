// What is true for the whole page: who answers for Codex, whose account it is, what can be chosen. Asked when the gateway is
// reached, and again when it may have changed; nothing polls.
import { ask } from "../../api/client";
import type { Account, BackendFound, Model } from "../../api/types";
import { fleet } from "../../model/fleet";
import { Cell } from "../../model/store";
import { glance } from "../../parts/StateDot";

export interface World {
  backends: readonly BackendFound[] | undefined;
  account: Account | undefined;
  models: readonly Model[] | undefined;
}

export const world = new Cell<World>({ backends: undefined, account: undefined, models: undefined });

interface Items<Item> {
  items: Item[];
}

const put = (known: Partial<World>): void => world.update((state) => ({ ...state, ...known }));
const quietly = (): undefined => undefined;

export async function askWorld(): Promise<void> {
  const backends = ask<Items<BackendFound>>("GET", "/v1/backends").then(({ items }) => put({ backends: items }), quietly);
  const models = ask<Items<Model>>("GET", "/v1/models").then(({ items }) => put({ models: items }), quietly);
  await Promise.all([backends, models, askAccount()]);
}

const askAccount = (): Promise<void> => ask<Account>("GET", "/v1/account").then((account) => put({ account }), quietly);

const ACCOUNT_AT_MOST_EVERY = 30_000;

/** Keeps the world up to date with the fleet: a gateway that is back may be another one, a turn that ended has used limits. */
export function watchWorld(): () => void {
  let live = false;
  let working = 0;
  let asked = 0;
  const look = () => {
    const { connection, sessions } = fleet.get();
    const isLive = connection === "live";
    if (isLive && !live) void askWorld();
    live = isLive;
    const workingNow = [...sessions.values()].filter(({ state }) => glance(state) === "working").length;
    if (workingNow < working && Date.now() - asked > ACCOUNT_AT_MOST_EVERY) {
      asked = Date.now();
      void askAccount();
    }
    working = workingNow;
  };
  look();
  return fleet.subscribe(look);
}

export const defaultBackend = (backends: World["backends"]): BackendFound | undefined =>
  backends?.find(({ is_default }) => is_default) ?? backends?.[0];
