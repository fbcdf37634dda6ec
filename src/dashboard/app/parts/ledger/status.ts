import { api } from "../../api/api.ts";

/** State of delivery. Pages share the answer. */
export const statusQuery = {
  queryKey: ["bridge", "status"],
  queryFn: ({ signal }: { signal: AbortSignal }) => api.bridge.dispatch.status({ signal }),
};
