import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ofTeam } from "./root.tsx";

const transactional = createRoute({
  getParentRoute: () => ofTeam,
  path: "/transactional",
  component: lazyRouteComponent(() => import("../pages/transactional/transactional.tsx"), "Transactional"),
});
const transactionalEmail = createRoute({
  getParentRoute: () => ofTeam,
  path: "/transactional/$transactionalEmailId",
  component: lazyRouteComponent(() => import("../pages/transactional/email.tsx"), "TransactionalEmail"),
});
const templates = createRoute({
  getParentRoute: () => ofTeam,
  path: "/templates",
  component: lazyRouteComponent(() => import("../pages/transactional/templates.tsx"), "Templates"),
});
const themes = createRoute({
  getParentRoute: () => ofTeam,
  path: "/templates/brand",
  component: lazyRouteComponent(() => import("../pages/themes/themes.tsx"), "Themes"),
});
const theme = createRoute({
  getParentRoute: () => ofTeam,
  path: "/templates/brand/$themeId",
  component: lazyRouteComponent(() => import("../pages/themes/theme.tsx"), "ThemePage"),
});
const components = createRoute({
  getParentRoute: () => ofTeam,
  path: "/templates/components",
  component: lazyRouteComponent(() => import("../pages/components/components.tsx"), "Components"),
});
const component = createRoute({
  getParentRoute: () => ofTeam,
  path: "/templates/components/$componentId",
  component: lazyRouteComponent(() => import("../pages/components/component.tsx"), "ComponentPage"),
});
const uploads = createRoute({
  getParentRoute: () => ofTeam,
  path: "/templates/pictures",
  component: lazyRouteComponent(() => import("../pages/uploads/uploads.tsx"), "Uploads"),
});
const events = createRoute({
  getParentRoute: () => ofTeam,
  path: "/workflows/events",
  component: lazyRouteComponent(() => import("../pages/events/events.tsx"), "Events"),
});
const event = createRoute({
  getParentRoute: () => ofTeam,
  path: "/workflows/events/$eventPatternId",
  component: lazyRouteComponent(() => import("../pages/events/event.tsx"), "EventPage"),
});

export const content = [
  transactional,
  transactionalEmail,
  templates,
  themes,
  theme,
  components,
  component,
  uploads,
  events,
  event,
];
