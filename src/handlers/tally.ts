import { hmacOfBody } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

/** The email address is in the field of type `INPUT_EMAIL`. */
export type TallyEvent = {
  type: "FORM_RESPONSE";
  eventId: string;
  eventType: string;
  createdAt: string;
  data: {
    responseId: string;
    formId: string;
    formName?: string;
    fields: { key: string; label: string; type: string; value: unknown }[];
  };
};

/**
 * Tally: base64 HMAC-SHA256 in `Tally-Signature`.
 * @see https://tally.so/help/webhooks
 */
export const tally: Handler<TallyEvent> = {
  provider: "tally",
  about: {
    title: "Tally",
    secret: "TALLY_WEBHOOK_SECRET",
    setUp: "Form → Integrations → Webhooks → Signing secret",
    unconfirmed: true,
  },
  scheme: hmacOfBody("Tally-Signature", { encoding: "base64" }),
  freeSecret: true,
  read: readEvent({ what: "a Tally event", id: "eventId", type: "eventType", time: [["createdAt", "iso"]] }),
};
