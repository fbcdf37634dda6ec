import { api } from "../../api/api.ts";

/** The saved views of all pages, by name. */
export const viewsQuery = {
  queryKey: ["views"],
  queryFn: () => api.dashboard.views.list(),
  staleTime: 60_000,
} as const;
