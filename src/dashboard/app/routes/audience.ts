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
  path: "/lists",
  component: lazyRouteComponent(() => import("../pages/lists/lists.tsx"), "Lists"),
});
const properties = createRoute({
  getParentRoute: () => ofTeam,
  path: "/properties",
  component: lazyRouteComponent(() => import("../pages/properties/properties.tsx"), "Properties"),
});
const suppressions = createRoute({
  getParentRoute: () => ofTeam,
  path: "/suppressions",
  component: lazyRouteComponent(() => import("../pages/suppressions/suppressions.tsx"), "Suppressions"),
});

/** Pages about contacts. */
export const audience = [people, person, lists, properties, suppressions];
