import { movedTo } from "../../../../lib/pages/pages.ts";
import { api } from "../../api/api.ts";
import { pathOf } from "../filters.ts";

type Views = Awaited<ReturnType<typeof api.dashboard.views.list>>;

const asNow = (path: string): string => movedTo(pathOf(path), path.slice(pathOf(path).length)) ?? path;

export const viewsQuery = {
  queryKey: ["views"],
  queryFn: () => api.dashboard.views.list(),
  staleTime: 60_000,
  // A view may have an earlier address.
  select: (views: Views): Views => ({
    ...views,
    data: views.data.map((view) => ({ ...view, path: asNow(view.path) })),
  }),
} as const;
