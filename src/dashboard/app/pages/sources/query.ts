import { api } from "../../api/api.ts";
import { SOON } from "../../api/queries.ts";

/** All sources. They are read again soon, so that a step of the set-up ticks while a person waits for it. */
export const sourcesQuery = {
  queryKey: ["bridge", "sources"],
  queryFn: () => api.bridge.sources.list({}),
  ...SOON,
};
