import type { FetchBack } from "../../lib/webhook/provider.ts";

/** What the Outbox needs to know of a source, beside what comes with each webhook. */
export type SourceSettings = {
  /** Ms without a webhook after which somebody should look. */
  silentAfter?: number;
  /** How to ask the provider whose a ref is. */
  fetchBack?: {
    with: FetchBack;
    /** Name of the variable with the key; without a value nobody is asked. */
    key: string;
    /** Name of the variable with another address of the API, and the provider's own. */
    url: string;
    baseUrl: string;
    userIdField?: string;
  };
};
