import { readStandardHeaders, standard } from "../lib/signature/schemes.ts";
import { isoTime, object, optionalText, unixTime } from "../lib/webhook/shape.ts";
import type { Handler } from "../webhook.ts";

const WHAT = "a Standard Webhooks event";
const PREFIXES = ["webhook", "svix"] as const;

type GenericEvent = { type: string; timestamp?: string; data: unknown };

/**
 * Standard Webhooks with a `whsec_<base64>` secret and body `{ type, timestamp, data }`. A missing type is journaled
 * as `unknown`.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export const generic: Handler<GenericEvent> = {
  provider: "generic",
  about: {
    title: "Standard Webhooks",
    secret: "GENERIC_WEBHOOK_SECRET",
    setUp: "the sender: `whsec_…`, or the public key `whpk_…`",
  },
  scheme: standard(PREFIXES),
  read: async ({ headers }, json, now) => {
    const body = object(json, WHAT);
    const signed = readStandardHeaders(headers, PREFIXES);
    if (!signed?.id) throw new Error(`The request is not ${WHAT}: the header webhook-id is missing.`);
    const occurredAt = isoTime(optionalText(body, "timestamp")) ?? unixTime(Number(signed.timestamp), 1000) ?? now;
    return { id: signed.id, type: optionalText(body, "type") ?? "unknown", occurredAt, body: json as GenericEvent };
  },
};
