// Where the page is: the address, and nothing else, says what is shown.
import { Cell, useStore } from "../model/store";

export type Route =
  | { page: "home" }
  | {
      page: "session";
      id: string;
      view: "talk" | "changes" | "usage";
      /** As it stood after this event; nothing is now. */
      at?: number;
    }
  | { page: "inbox" }
  | { page: "usage" }
  | { page: "new" };

export function parse(path: string, query = ""): Route {
  const [first, id, view] = path.split("/").filter(Boolean);
  if (first === "s" && id) {
    const at = new URLSearchParams(query).get("at");
    const then = at && /^[1-9]\d{0,14}$/.test(at) ? { at: Number(at) } : {};
    return { page: "session", id, view: view === "changes" || view === "usage" ? view : "talk", ...then };
  }
  if (first === "inbox" || first === "usage" || first === "new") return { page: first };
  return { page: "home" };
}

export function address(route: Route): string {
  if (route.page === "home") return "/";
  if (route.page !== "session") return `/${route.page}`;
  const then = route.at === undefined ? "" : `?at=${route.at}`;
  return (route.view === "talk" ? `/s/${route.id}` : `/s/${route.id}/${route.view}`) + then;
}

const here = new Cell<Route>(parse(location.pathname, location.search));
addEventListener("popstate", () => here.set(parse(location.pathname, location.search)));

export function go(route: Route, replace = false): void {
  if (address(route) === address(here.get())) return;
  history[replace ? "replaceState" : "pushState"](null, "", address(route));
  here.set(route);
}

export const currentRoute = here.get;

export const useRoute = (): Route => useStore(here);
