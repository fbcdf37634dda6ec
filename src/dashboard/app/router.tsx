import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  retainSearchParams,
} from "@tanstack/react-router";
import { lazy } from "react";
import { Frame } from "./frame/frame.tsx";
import { filtersOf } from "./parts/filters.ts";
import { Missing } from "./parts/missing.tsx";

/** Loaded after the page: the first row does not need it. */
const Palette = lazy(async () => ({ default: (await import("./palette/palette.tsx")).Palette }));

const root = createRootRoute({ component: () => <Frame palette={Palette} />, notFoundComponent: Missing });

/** Every page is loaded when it is opened. */
const overview = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazyRouteComponent(() => import("./pages/overview/overview.tsx"), "Overview"),
});
const webhooks = createRoute({
  getParentRoute: () => root,
  path: "/webhooks",
  validateSearch: filtersOf,
  component: lazyRouteComponent(() => import("./pages/webhooks/webhooks.tsx"), "Webhooks"),
});
const webhook = createRoute({
  getParentRoute: () => root,
  path: "/webhooks/$webhookId",
  // The filters of the list that it was opened from: its neighbours are those of that list.
  validateSearch: filtersOf,
  component: lazyRouteComponent(() => import("./pages/webhooks/webhook.tsx"), "Webhook"),
});
const calls = createRoute({
  getParentRoute: () => root,
  path: "/calls",
  validateSearch: filtersOf,
  component: lazyRouteComponent(() => import("./pages/calls/calls.tsx"), "Calls"),
});
const health = createRoute({
  getParentRoute: () => root,
  path: "/health",
  component: lazyRouteComponent(() => import("./pages/health/health.tsx"), "Health"),
});
const rules = createRoute({
  getParentRoute: () => root,
  path: "/rules",
  validateSearch: filtersOf,
  component: lazyRouteComponent(() => import("./pages/rules/rules.tsx"), "Rules"),
});
const rule = createRoute({
  getParentRoute: () => root,
  path: "/rules/$source/$rule",
  component: lazyRouteComponent(() => import("./pages/rules/rule.tsx"), "Rule"),
});
const sources = createRoute({
  getParentRoute: () => root,
  path: "/sources",
  component: lazyRouteComponent(() => import("./pages/sources/sources.tsx"), "Sources"),
});
const source = createRoute({
  getParentRoute: () => root,
  path: "/sources/$source",
  component: lazyRouteComponent(() => import("./pages/sources/source.tsx"), "SourcePage"),
});
const replay = createRoute({
  getParentRoute: () => root,
  path: "/replay",
  validateSearch: filtersOf,
  component: lazyRouteComponent(() => import("./pages/replay/replay.tsx"), "Replay"),
});
const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  component: lazyRouteComponent(() => import("./pages/settings/settings.tsx"), "Settings"),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: "/settings/audit",
  validateSearch: filtersOf,
  component: lazyRouteComponent(() => import("./pages/audit/audit.tsx"), "Audit"),
});

/** Pages about one team. Its name stays in the address from one of them to the next. */
const ofTeam = createRoute({
  getParentRoute: () => root,
  id: "team",
  validateSearch: filtersOf,
  search: { middlewares: [retainSearchParams(["team"])] },
});
const people = createRoute({
  getParentRoute: () => ofTeam,
  path: "/people",
  component: lazyRouteComponent(() => import("./pages/people/people.tsx"), "People"),
});
const person = createRoute({
  getParentRoute: () => ofTeam,
  path: "/people/$personId",
  component: lazyRouteComponent(() => import("./pages/people/person.tsx"), "Person"),
});
const mails = createRoute({
  getParentRoute: () => ofTeam,
  path: "/mail",
  component: lazyRouteComponent(() => import("./pages/mail/mails.tsx"), "Mails"),
});
const mail = createRoute({
  getParentRoute: () => ofTeam,
  path: "/mail/$sendId",
  component: lazyRouteComponent(() => import("./pages/mail/mail.tsx"), "Mail"),
});
const campaigns = createRoute({
  getParentRoute: () => ofTeam,
  path: "/campaigns",
  component: lazyRouteComponent(() => import("./pages/campaigns/campaigns.tsx"), "Campaigns"),
});
const campaign = createRoute({
  getParentRoute: () => ofTeam,
  path: "/campaigns/$campaignId",
  component: lazyRouteComponent(() => import("./pages/campaigns/campaign.tsx"), "Campaign"),
});
const lists = createRoute({
  getParentRoute: () => ofTeam,
  path: "/lists",
  component: lazyRouteComponent(() => import("./pages/lists/lists.tsx"), "Lists"),
});
const properties = createRoute({
  getParentRoute: () => ofTeam,
  path: "/properties",
  component: lazyRouteComponent(() => import("./pages/properties/properties.tsx"), "Properties"),
});
const suppressions = createRoute({
  getParentRoute: () => ofTeam,
  path: "/suppressions",
  component: lazyRouteComponent(() => import("./pages/suppressions/suppressions.tsx"), "Suppressions"),
});
const keys = createRoute({
  getParentRoute: () => ofTeam,
  path: "/settings/keys",
  component: lazyRouteComponent(() => import("./pages/keys/keys.tsx"), "Keys"),
});
const teamSettings = createRoute({
  getParentRoute: () => ofTeam,
  path: "/settings/team",
  component: lazyRouteComponent(() => import("./pages/team/team-settings.tsx"), "TeamSettings"),
});
const team = ofTeam.addChildren([
  ...[people, person, mails, mail, campaigns, campaign, lists, properties, suppressions],
  ...[keys, teamSettings],
]);

export const router = createRouter({
  routeTree: root.addChildren([
    team,
    overview,
    webhooks,
    webhook,
    calls,
    replay,
    rules,
    rule,
    sources,
    source,
    health,
    settings,
    audit,
  ]),
  defaultPreload: "intent",
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
