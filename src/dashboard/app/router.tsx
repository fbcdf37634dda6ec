import { createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
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
const team = ofTeam.addChildren([...audience, ...messages, ...content, ...settingsOfTeam]);

export const router = createRouter({
  routeTree: root.addChildren([team, overview, ...delivery, ...settings]),
  defaultPreload: "intent",
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
