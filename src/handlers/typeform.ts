import { hmacOfBody } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

/** The email address is in the answer of type `email`; link values are in `hidden`. */
export type TypeformEvent = {
  type: "form_response";
  event_id: string;
  event_type: string;
  form_response: {
    form_id: string;
    token: string;
    submitted_at: string;
    hidden?: Readonly<Record<string, string>>;
    answers: { type: string; email?: string; text?: string; field: { id: string; type: string; ref?: string } }[];
  };
};

/**
 * Typeform: `Typeform-Signature: sha256=<base64>`, an HMAC-SHA256 of the body.
 * @see https://www.typeform.com/developers/webhooks/secure-your-webhooks/
 */
export const typeform: Handler<TypeformEvent> = {
  provider: "typeform",
  about: {
    title: "Typeform",
    secret: "TYPEFORM_WEBHOOK_SECRET",
    setUp: "Form → Connect → Webhooks → Edit → Secret: yours to choose",
  },
  scheme: hmacOfBody("Typeform-Signature", { encoding: "base64", prefix: "sha256=" }),
  freeSecret: true,
  read: readEvent({
    what: "a Typeform event",
    id: "event_id",
    type: "event_type",
    time: [["form_response.submitted_at", "iso"]],
  }),
};
