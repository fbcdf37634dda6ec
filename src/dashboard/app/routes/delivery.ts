import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { filtersOf } from "../parts/filters.ts";
import { root } from "./root.tsx";

const webhooks = createRoute({
  getParentRoute: () => root,
  path: "/webhooks",
  validateSearch: filtersOf,
  component: lazyRouteComponent(() => import("../pages/webhooks/webhooks.tsx"), "Webhooks"),
});
const webhook = createRoute({
  getParentRoute: () => root,
  path: "/webhooks/$webhookId",
  // Neighbors come from the same filtered list.
  validateSearch: filtersOf,
  component: lazyRouteComponent(() => import("../pages/webhooks/webhook.tsx"), "Webhook"),
});
const deliveries = createRoute({
  getParentRoute: () => root,
  path: "/deliveries",
  component: lazyRouteComponent(() => import("../pages/deliveries/failed.tsx"), "FailedDeliveries"),
});
const waiting = createRoute({
  getParentRoute: () => root,
  path: "/deliveries/waiting",
  validateSearch: filtersOf,
  component: lazyRouteComponent(() => import("../pages/deliveries/list.tsx"), "WaitingDeliveries"),
});
const allDeliveries = createRoute({
  getParentRoute: () => root,
  path: "/deliveries/all",
  validateSearch: filtersOf,
  component: lazyRouteComponent(() => import("../pages/deliveries/list.tsx"), "AllDeliveries"),
});
const replays = createRoute({
  getParentRoute: () => root,
  path: "/webhooks/replays",
  beforeLoad: () => {
    throw redirect({ to: "/webhooks/replays/new", replace: true });
  },
});
const replay = createRoute({
  getParentRoute: () => root,
  path: "/webhooks/replays/new",
  validateSearch: filtersOf,
  component: lazyRouteComponent(() => import("../pages/replay/replay.tsx"), "Replay"),
});
const rules = createRoute({
  getParentRoute: () => root,
  path: "/sources/rules",
  validateSearch: filtersOf,
  component: lazyRouteComponent(() => import("../pages/rules/rules.tsx"), "Rules"),
});
const rule = createRoute({
  getParentRoute: () => root,
  path: "/sources/rules/$source/$rule",
  component: lazyRouteComponent(() => import("../pages/rules/rule.tsx"), "Rule"),
});
const sources = createRoute({
  getParentRoute: () => root,
  path: "/sources",
  component: lazyRouteComponent(() => import("../pages/sources/sources.tsx"), "Sources"),
});
const source = createRoute({
  getParentRoute: () => root,
  path: "/sources/$source",
  component: lazyRouteComponent(() => import("../pages/sources/source.tsx"), "SourcePage"),
});
const alerts = createRoute({
  getParentRoute: () => root,
  path: "/alerts",
  component: lazyRouteComponent(() => import("../pages/alerts/alerts.tsx"), "Alerts"),
});
const health = createRoute({
  getParentRoute: () => root,
  path: "/deliveries/throughput",
  component: lazyRouteComponent(() => import("../pages/deliveries/throughput.tsx"), "Throughput"),
});

export const delivery = [
  webhooks,
  replays,
  replay,
  webhook,
  deliveries,
  waiting,
  allDeliveries,
  health,
  alerts,
  sources,
  rules,
  rule,
  source,
];
