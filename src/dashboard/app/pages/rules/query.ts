import { api } from "../../api/api.ts";

/** The rules of all sources. They change with a deploy only. */
export const rulesQuery = {
  queryKey: ["bridge", "rules"],
  queryFn: () => api.bridge.rules.list({}),
  staleTime: 60_000,
};
