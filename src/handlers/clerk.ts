import type { WebhookEvent } from "@clerk/backend/webhooks";
import { standard, standardHeaders } from "../lib/signature/schemes.ts";
import type { Handler } from "../webhook.ts";
import { object, text, unixTime } from "./shape.ts";

const WHAT = "a Clerk event";
const PREFIXES = ["svix", "webhook"] as const;
const RANKS: ReadonlyMap<string, number> = new Map([
  ["user.created", 1],
  ["user.updated", 2],
  ["user.deleted", 3],
]);

/**
 * Clerk: sent by Svix, so the headers are `svix-*` (`webhook-*` are taken too), secret `whsec_<base64>` of the
 * endpoint. The event's id is the message id: the body has none of its own.
 * @see https://clerk.com/docs/guides/development/webhooks/overview
 */
export const clerk: Handler<WebhookEvent> = {
  provider: "clerk",
  about: {
    title: "Clerk",
    secret: "CLERK_WEBHOOK_SECRET",
    setUp: "Configure → Webhooks → endpoint → Signing Secret",
  },
  scheme: standard(PREFIXES),
  read: async ({ headers }, json, now) => {
    const body = object(json, WHAT);
    const type = text(body, "type", WHAT);
    object(body.data, `${WHAT} (its data)`);
    const signed = standardHeaders(headers, PREFIXES);
    if (!signed?.id) throw new Error(`The request is not ${WHAT}: the header svix-id is missing.`);
    const occurredAt = unixTime(body.timestamp, 1) ?? unixTime(Number(signed.timestamp), 1000) ?? now;
    return { id: signed.id, type, occurredAt, body: json as WebhookEvent };
  },
  rank: (type) => RANKS.get(type) ?? 0,
};
