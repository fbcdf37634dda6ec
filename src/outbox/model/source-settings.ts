import type { FetchBackApi } from "../../lib/webhook/provider.ts";

export type SourceSettings = {
  /** Milliseconds without a webhook that raise an alert. */
  silentAfter?: number;
  fetchBack?: {
    with: FetchBackApi;
    /** Variable name of the API key. An empty one disables requests. */
    key: string;
    /** Variable name that overrides the provider's API address. */
    url: string;
    baseUrl: string;
    userIdField?: string;
  };
};
