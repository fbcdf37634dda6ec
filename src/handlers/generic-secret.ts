import { sharedSecret } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";
import { type AnyEvent, FORM } from "./generic-hmac.ts";

/**
 * A secret in `Authorization`, `X-Api-Key` or `X-Webhook-Secret`, or as Basic credentials. The source's `header`
 * names another header.
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
