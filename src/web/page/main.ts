import { startPage } from "./page.ts";

await startPage({ window, fetch: window.fetch.bind(window) });
