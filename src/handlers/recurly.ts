import { hmacOfBody, TOLERANCE_S } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

/** Only type and object id; all other data must be fetched. */
type RecurlyEvent = {
  type: string;
  id: string;
  object_type: string;
  event_type: string;
  event_time: string;
  account_code?: string;
  uuid?: string;
};

/**
 * Recurly JSON: `recurly-signature: <Unix ms>,<hex>[,<hex>]`, an HMAC-SHA256 of `<ms>.<body>`. The id is made of
 * object, type and time.
 * @see https://docs.recurly.com/docs/webhooks
 */
export const recurly: Handler<RecurlyEvent> = {
  provider: "recurly",
  about: {
    title: "Recurly",
    secret: "RECURLY_WEBHOOK_SECRET",
    setUp: "Integrations → Webhooks → endpoint → Secret key",
  },
  scheme: hmacOfBody("recurly-signature", {
    signature: { header: "recurly-signature", separator: ",", slice: [1] },
    content: ["{timestamp}.{body}"],
    timestamp: {
      at: { header: "recurly-signature", separator: ",", slice: [0, 1] },
      unit: "ms",
      tolerance: TOLERANCE_S,
    },
  }),
  read: readEvent({
    what: "a Recurly event",
    id: ["object_type", "id", "event_type", "event_time"],
    type: ["object_type", "event_type"],
    time: [["event_time", "iso"]],
  }),
};
