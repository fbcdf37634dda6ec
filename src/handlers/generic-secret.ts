import { sharedSecret } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";
import { type AnyEvent, FORM } from "./generic-hmac.ts";

/**
 * Any sender that does not sign but can send a header: the secret in `Authorization` (bare or after `Bearer `), in
 * `X-Api-Key` or `X-Webhook-Secret`, or as Basic credentials `user:password`. For another header, name it in
 * `header` of the source.
 */
export const genericSecret: Handler<AnyEvent> = {
  provider: "generic-secret",
  about: {
    title: "Any sender with a header",
    secret: "SHARED_WEBHOOK_SECRET",
    setUp: "`Authorization: Bearer <secret>`, yours to choose",
  },
  scheme: sharedSecret,
  freeSecret: true,
  read: readEvent(FORM),
};
