// Where the page is: the address, and nothing else, says what is shown.
import { Cell, useStore } from "../model/store";

export type Route =
  | { page: "home" }
  | { page: "session"; id: string; view: "talk" | "changes" | "usage" }
  | { page: "inbox" }
  | { page: "usage" }
  | { page: "new" };

export function parse(path: string): Route {
  const [first, id, view] = path.split("/").filter(Boolean);
  if (first === "s" && id) {
    return { page: "session", id, view: view === "changes" || view === "usage" ? view : "talk" };
  }
  if (first === "inbox" || first === "usage" || first === "new") return { page: first };
  return { page: "home" };
}

export function address(route: Route): string {
  if (route.page === "home") return "/";
  if (route.page !== "session") return `/${route.page}`;
  return route.view === "talk" ? `/s/${route.id}` : `/s/${route.id}/${route.view}`;
}

const here = new Cell<Route>(parse(location.pathname));
addEventListener("popstate", () => here.set(parse(location.pathname)));

export function go(route: Route, replace = false): void {
  if (address(route) === location.pathname) return;
  history[replace ? "replaceState" : "pushState"](null, "", address(route));
  here.set(route);
}

export const useRoute = (): Route => useStore(here);
