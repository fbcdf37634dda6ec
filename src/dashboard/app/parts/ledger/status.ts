import { api } from "../../api/api.ts";

/** The state of delivery. Pages that show a part of it share the answer. */
export const statusQuery = {
  queryKey: ["bridge", "status"],
  queryFn: ({ signal }: { signal: AbortSignal }) => api.bridge.delivery.status({}, { signal }),
};
