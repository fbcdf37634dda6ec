import { hmacOfBody, TOLERANCE_S } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import { listOf } from "../lib/webhook/shape.ts";
import type { Handler } from "../webhook.ts";

/** An event has an email address only if that property changed. */
export type HubspotEvent = {
  type: string;
  eventId: number;
  subscriptionId: number;
  portalId: number;
  subscriptionType: string;
  occurredAt: number;
  objectId: number;
  propertyName?: string;
  propertyValue?: string;
  attemptNumber: number;
};

const old = (content: string) => hmacOfBody("X-HubSpot-Signature", { content: [content], keyed: "before" });

/**
 * HubSpot: `X-HubSpot-Signature-v3`, base64 HMAC-SHA256 of method, URL, body and ms. Without v3,
 * `X-HubSpot-Signature` (SHA-256) counts.
 * @see https://developers.hubspot.com/docs/apps/legacy-apps/authentication/validating-requests
 */
export const hubspot: Handler<HubspotEvent> = {
  provider: "hubspot",
  about: { title: "HubSpot", secret: "HUBSPOT_WEBHOOK_SECRET", setUp: "the app’s Auth settings → Client secret" },
  scheme: {
    kind: "first",
    of: [
      hmacOfBody("X-HubSpot-Signature-v3", {
        encoding: "base64",
        content: ["{method}{url}{body}{timestamp}"],
        timestamp: { at: { header: "X-HubSpot-Request-Timestamp" }, unit: "ms", tolerance: TOLERANCE_S },
      }),
      { kind: "any", of: [old("{method}{url}{body}"), old("{body}")] },
    ],
  },
  items: listOf,
  read: readEvent({
    what: "a HubSpot event",
    // HubSpot does not guarantee a unique eventId.
    id: ["eventId", "subscriptionId", "occurredAt"],
    type: "subscriptionType",
    time: [["occurredAt", "ms"]],
  }),
};
