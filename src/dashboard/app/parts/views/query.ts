import { api } from "../../api/api.ts";

export const viewsQuery = {
  queryKey: ["views"],
  queryFn: () => api.dashboard.views.list(),
  staleTime: 60_000,
} as const;
