import { createRootRoute, createRoute, redirect, retainSearchParams } from "@tanstack/react-router";
import { lazy } from "react";
import { movedTo } from "../../../lib/pages/pages.ts";
import { Frame } from "../frame/frame.tsx";
import { filtersOf } from "../parts/filters.ts";
import { Missing } from "../parts/page/missing.tsx";

/** Loads lazily: the first row does not need it. */
const Palette = lazy(async () => ({ default: (await import("../palette/palette.tsx")).Palette }));

export const root = createRootRoute({
  component: () => <Frame palette={Palette} />,
  notFoundComponent: Missing,
  beforeLoad: ({ location: { pathname, searchStr, hash } }) => {
    const moved = movedTo(pathname, searchStr);
    if (moved !== undefined) throw redirect({ href: moved + (hash === "" ? "" : `#${hash}`), replace: true });
  },
});

export const ofTeam = createRoute({
  getParentRoute: () => root,
  id: "team",
  validateSearch: filtersOf,
  search: { middlewares: [retainSearchParams(["team"])] },
});
