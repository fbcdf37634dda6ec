import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
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
  validateSearch: filtersOf,
  component: lazyRouteComponent(() => import("../pages/deliveries/deliveries.tsx"), "Deliveries"),
});
const replay = createRoute({
  getParentRoute: () => root,
  path: "/replay",
  validateSearch: filtersOf,
  component: lazyRouteComponent(() => import("../pages/replay/replay.tsx"), "Replay"),
});
const rules = createRoute({
  getParentRoute: () => root,
  path: "/rules",
  validateSearch: filtersOf,
  component: lazyRouteComponent(() => import("../pages/rules/rules.tsx"), "Rules"),
});
const rule = createRoute({
  getParentRoute: () => root,
  path: "/rules/$source/$rule",
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
const health = createRoute({
  getParentRoute: () => root,
  path: "/health",
  component: lazyRouteComponent(() => import("../pages/health/health.tsx"), "Health"),
});

export const delivery = [webhooks, webhook, deliveries, replay, rules, rule, sources, source, health];
