import { lazy, Suspense } from "react";
import type { Route } from "../lib/route";
import { Home } from "./home/Home";
import { InboxPage } from "./InboxPage";
import { Session } from "./Session";

const NewSession = lazy(() => import("./create/NewSession").then(({ NewSession }) => ({ default: NewSession })));
const UsagePage = lazy(() => import("./usage/UsagePage").then(({ UsagePage }) => ({ default: UsagePage })));

/** What the address asks for. */
export function Page({ route }: { route: Route }) {
  return <Suspense>{page(route)}</Suspense>;
}

function page(route: Route) {
  switch (route.page) {
    case "session":
      return <Session key={route.id} id={route.id} view={route.view} at={route.at} />;
    case "inbox":
      return <InboxPage />;
    case "usage":
      return <UsagePage />;
    case "new":
      return <NewSession />;
    case "home":
      return <Home />;
  }
}
