import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./styles/tokens.css";
import "./styles/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { currentRoute } from "./lib/route";
import { watchedSession } from "./model/session";
import { App } from "./shell/App";
import { applyTheme } from "./shell/theme";

applyTheme();

// The gateway reads while the page is drawn for the first time.
const route = currentRoute();
if (route.page === "session") watchedSession(route.id).expect();

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
