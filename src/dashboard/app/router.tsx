import { createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { filtersOf } from "./parts/filters.ts";
import { audience } from "./routes/audience.ts";
import { content } from "./routes/content.ts";
import { delivery } from "./routes/delivery.ts";
import { messages } from "./routes/messages.ts";
import { ofTeam, root } from "./routes/root.tsx";
import { settings, settingsOfTeam } from "./routes/settings.ts";

const overview = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazyRouteComponent(() => import("./pages/overview/overview.tsx"), "Overview"),
});
/** Every part once. Only `npm start` shows it. */
const kit = createRoute({
  getParentRoute: () => root,
  path: "/kit",
  validateSearch: filtersOf,
  component: lazyRouteComponent(() => import("./pages/kit/kit.tsx"), "Kit"),
});
const team = ofTeam.addChildren([...audience, ...messages, ...content, ...settingsOfTeam]);

export const router = createRouter({
  routeTree: root.addChildren([team, overview, kit, ...delivery, ...settings]),
  defaultPreload: "intent",
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
