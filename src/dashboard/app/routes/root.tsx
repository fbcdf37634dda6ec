import { createRootRoute, createRoute, retainSearchParams } from "@tanstack/react-router";
import { lazy } from "react";
import { Frame } from "../frame/frame.tsx";
import { filtersOf } from "../parts/filters.ts";
import { Missing } from "../parts/missing.tsx";

/** Loaded after the page: the first row does not need it. */
const Palette = lazy(async () => ({ default: (await import("../palette/palette.tsx")).Palette }));

export const root = createRootRoute({ component: () => <Frame palette={Palette} />, notFoundComponent: Missing });

/** Pages about one team. Its name stays in the address from one of them to the next. */
export const ofTeam = createRoute({
  getParentRoute: () => root,
  id: "team",
  validateSearch: filtersOf,
  search: { middlewares: [retainSearchParams(["team"])] },
});
