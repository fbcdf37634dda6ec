import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { filtersOf } from "../parts/filters.ts";
import { ofTeam, root } from "./root.tsx";

const audit = createRoute({
  getParentRoute: () => root,
  path: "/settings/audit",
  validateSearch: filtersOf,
  component: lazyRouteComponent(() => import("../pages/audit/audit.tsx"), "Audit"),
});
const logins = createRoute({
  getParentRoute: () => root,
  path: "/settings/members",
  component: lazyRouteComponent(() => import("../pages/logins/logins.tsx"), "Logins"),
});
const keys = createRoute({
  getParentRoute: () => ofTeam,
  path: "/settings/keys",
  component: lazyRouteComponent(() => import("../pages/keys/keys.tsx"), "Keys"),
});
const general = createRoute({
  getParentRoute: () => ofTeam,
  path: "/settings",
  component: lazyRouteComponent(() => import("../pages/settings/settings.tsx"), "Settings"),
});
const confirmations = createRoute({
  getParentRoute: () => ofTeam,
  path: "/settings/confirmations",
  component: lazyRouteComponent(() => import("../pages/team/confirmations.tsx"), "Confirmations"),
});
const domains = createRoute({
  getParentRoute: () => ofTeam,
  path: "/settings/domains",
  component: lazyRouteComponent(() => import("../pages/domains/domains.tsx"), "Domains"),
});
const domain = createRoute({
  getParentRoute: () => ofTeam,
  path: "/settings/domains/$domainId",
  component: lazyRouteComponent(() => import("../pages/domains/domain.tsx"), "DomainPage"),
});
const endpoints = createRoute({
  getParentRoute: () => ofTeam,
  path: "/settings/webhooks",
  component: lazyRouteComponent(() => import("../pages/endpoints/endpoints.tsx"), "Endpoints"),
});
const endpoint = createRoute({
  getParentRoute: () => ofTeam,
  path: "/settings/webhooks/$webhookId",
  component: lazyRouteComponent(() => import("../pages/endpoints/endpoint.tsx"), "EndpointPage"),
});

export const settings = [audit, logins];

export const settingsOfTeam = [general, keys, confirmations, domains, domain, endpoints, endpoint];
