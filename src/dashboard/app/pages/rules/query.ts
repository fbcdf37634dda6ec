import { api } from "../../api/api.ts";

/** Rules of all sources. Only a deployment changes them. */
export const rulesQuery = {
  queryKey: ["bridge", "rules"],
  queryFn: () => api.bridge.rules.list({}),
  staleTime: 60_000,
};
