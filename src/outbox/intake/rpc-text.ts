import type { AcceptResult, PlannedWebhook } from "../model/journal-types.ts";

/** Webhooks as texts for RPC. Structured clone would cost about as much as the commit. */
export type EncodedWebhooks = [webhooks: string, ...bodies: string[]];

export const encodeWebhooks = (webhooks: readonly PlannedWebhook[]): EncodedWebhooks => [
  JSON.stringify(webhooks.map((webhook) => ({ ...webhook, raw: undefined }))),
  ...webhooks.map(({ raw }) => raw),
];

export const decodeWebhooks = (...[texts, ...bodies]: EncodedWebhooks): PlannedWebhook[] =>
  (JSON.parse(texts) as Omit<PlannedWebhook, "raw">[]).map((webhook, i) =>
    Object.assign(webhook, { raw: bodies[i] ?? "" }),
  );

export const encodeResult = (result: AcceptResult): string => JSON.stringify(result);
export const decodeResult = (text: string): AcceptResult => JSON.parse(text) as AcceptResult;
