import { api } from "../../api/api.ts";
import { SOON } from "../../api/queries.ts";

/** All sources, polled so setup steps update while people wait. */
export const sourcesQuery = {
  queryKey: ["bridge", "sources"],
  queryFn: () => api.bridge.sources.list({}),
  ...SOON,
};
