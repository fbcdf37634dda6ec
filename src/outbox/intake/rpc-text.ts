import type { AcceptResult, PlannedWebhook } from "../model/types.ts";

/**
 * Webhooks on their way to the object: everything but the bodies as one text, the bodies beside it. Objects of many
 * fields cost a call between Worker and object about as much as the commit does (`npm run bench`); texts do not.
 */
export type EncodedWebhooks = [facts: string, bodies: string[]];

export const encodeWebhooks = (webhooks: readonly PlannedWebhook[]): EncodedWebhooks => [
  JSON.stringify(webhooks.map(({ raw: _, ...facts }) => facts)),
  webhooks.map(({ raw }) => raw),
];

export const decodeWebhooks = (...[facts, bodies]: EncodedWebhooks): PlannedWebhook[] =>
  (JSON.parse(facts) as Omit<PlannedWebhook, "raw">[]).map((webhook, i) => ({ ...webhook, raw: bodies[i] ?? "" }));

/** The answer, on its way back. */
export const encodeResult = (taken: AcceptResult): string => JSON.stringify(taken);
export const decodeResult = (text: string): AcceptResult => JSON.parse(text) as AcceptResult;
