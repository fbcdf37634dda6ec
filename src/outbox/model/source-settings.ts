import type { FetchBackApi, ThinEvents } from "../../lib/webhook/provider.ts";

/** A provider's API. */
type ApiSettings = {
  /** Variable name of the API key. An empty one disables requests. */
  key: string;
  /** Variable name that overrides the provider's API address. */
  url: string;
  baseUrl: string;
};

export type SourceSettings = {
  /** Variable name of the secret. A source without one is not in use. */
  secret?: string;
  /** Templates of the rules; `rule` is the first one with it. */
  templates?: readonly { rule: string; template: string }[];
  /** Milliseconds without a webhook that raise an alert. */
  silentAfter?: number;
  fetchBack?: ApiSettings & { with: FetchBackApi; userIdField?: string };
  thinEvents?: ApiSettings & { with: ThinEvents };
};
