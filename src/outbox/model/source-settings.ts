import type { FetchBackApi } from "../../lib/webhook/provider.ts";

/** Settings of a source that do not come with its webhooks. */
export type SourceSettings = {
  /** Ms without a webhook after which an alert is raised. */
  silentAfter?: number;
  /** How to ask the provider for the contact behind a ref. */
  fetchBack?: {
    with: FetchBackApi;
    /** Name of the variable with the API key. Without a value the provider is never asked. */
    key: string;
    /** Name of the variable that overrides the address of the provider's API. */
    url: string;
    baseUrl: string;
    userIdField?: string;
  };
};
