import { hmacOfBody, TOLERANCE_S } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import { listOf } from "../lib/webhook/shape.ts";
import type { Handler } from "../webhook.ts";

/** An event: the id of a changed object. It contains an email address only where that property changed. */
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
 * HubSpot: `X-HubSpot-Signature-v3`, an HMAC-SHA256 in base64 of method, URL, body and time in ms. Older apps send
 * `X-HubSpot-Signature`, a plain SHA-256 of the client secret followed by the content. If the v3 header is present,
 * only v3 counts. One request carries many events.
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
    // HubSpot does not promise that eventId is unique.
    id: ["eventId", "subscriptionId", "occurredAt"],
    type: "subscriptionType",
    time: [["occurredAt", "ms"]],
  }),
};
