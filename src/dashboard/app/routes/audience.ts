import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ofTeam } from "./root.tsx";

const people = createRoute({
  getParentRoute: () => ofTeam,
  path: "/people",
  component: lazyRouteComponent(() => import("../pages/people/people.tsx"), "People"),
});
const person = createRoute({
  getParentRoute: () => ofTeam,
  path: "/people/$personId",
  component: lazyRouteComponent(() => import("../pages/people/person.tsx"), "Person"),
});
const lists = createRoute({
  getParentRoute: () => ofTeam,
  path: "/people/lists",
  component: lazyRouteComponent(() => import("../pages/lists/lists.tsx"), "Lists"),
});
const properties = createRoute({
  getParentRoute: () => ofTeam,
  path: "/people/properties",
  component: lazyRouteComponent(() => import("../pages/properties/properties.tsx"), "Properties"),
});
const suppressions = createRoute({
  getParentRoute: () => ofTeam,
  path: "/people/suppressed",
  component: lazyRouteComponent(() => import("../pages/suppressions/suppressions.tsx"), "Suppressions"),
});

const imports = createRoute({
  getParentRoute: () => ofTeam,
  path: "/people/imports",
  component: lazyRouteComponent(() => import("../pages/imports/imports.tsx"), "Imports"),
});
const newImport = createRoute({
  getParentRoute: () => ofTeam,
  path: "/people/imports/new",
  component: lazyRouteComponent(() => import("../pages/imports/new-import.tsx"), "NewImport"),
});
const oneImport = createRoute({
  getParentRoute: () => ofTeam,
  path: "/people/imports/$importId",
  component: lazyRouteComponent(() => import("../pages/imports/import.tsx"), "Import"),
});
const segments = createRoute({
  getParentRoute: () => ofTeam,
  path: "/segments",
  component: lazyRouteComponent(() => import("../pages/segments/segments.tsx"), "Segments"),
});
const newSegment = createRoute({
  getParentRoute: () => ofTeam,
  path: "/segments/new",
  component: lazyRouteComponent(() => import("../pages/segments/new-segment.tsx"), "NewSegment"),
});
const segment = createRoute({
  getParentRoute: () => ofTeam,
  path: "/segments/$segmentId",
  component: lazyRouteComponent(() => import("../pages/segments/segment.tsx"), "Segment"),
});

export const audience = [
  people,
  person,
  lists,
  properties,
  suppressions,
  imports,
  newImport,
  oneImport,
  segments,
  newSegment,
  segment,
];
