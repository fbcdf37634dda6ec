import { createRootRoute, createRoute, retainSearchParams } from "@tanstack/react-router";
import { lazy } from "react";
import { Frame } from "../frame/frame.tsx";
import { filtersOf } from "../parts/filters.ts";
import { Missing } from "../parts/missing.tsx";

/** Loads lazily: the first row does not need it. */
const Palette = lazy(async () => ({ default: (await import("../palette/palette.tsx")).Palette }));

export const root = createRootRoute({ component: () => <Frame palette={Palette} />, notFoundComponent: Missing });

export const ofTeam = createRoute({
  getParentRoute: () => root,
  id: "team",
  validateSearch: filtersOf,
  search: { middlewares: [retainSearchParams(["team"])] },
});
