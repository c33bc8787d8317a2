/// <reference types="vitest/config" />
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const GATEWAY = process.env["SELVEDGE_GATEWAY"] ?? "http://127.0.0.1:7433";

// Everything that a browser keeps lies in `assets/` under a name with a hash. Nothing is inlined: the page's policy allows
// no inline script or style.
export default defineConfig({
  plugins: [react()],
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false }, target: "es2022" },
  // For `npm run dev` beside `selvedge serve --no-auth`: the gateway takes requests of its own page only.
  server: { proxy: { "/v1": { target: GATEWAY, changeOrigin: true, headers: { origin: GATEWAY } } } },
  test: { environment: "happy-dom", include: ["src/**/*.test.{ts,tsx}"] },
});
