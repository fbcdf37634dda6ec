import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

export type FusionAuthEvent = {
  type: string;
  event: {
    id: string;
    type: string;
    createInstant: number;
    tenantId?: string;
    applicationId?: string;
    user?: { id: string; email?: string; verified?: boolean; firstName?: string; lastName?: string };
  };
};

/**
 * FusionAuth: a JWT with the body's SHA-256. The secret, an HMAC key or JWKS URL, decides the accepted algorithms.
 * @see https://fusionauth.io/docs/extend/events-and-webhooks/signing
 */
export const fusionAuth: Handler<FusionAuthEvent> = {
  provider: "fusionauth",
  about: {
    title: "FusionAuth",
    secret: "FUSIONAUTH_WEBHOOK_SECRET",
    setUp: "Settings → Key Master: the HMAC secret, or the address of the JWKS",
  },
  scheme: {
    kind: "jwt",
    at: { header: "X-FusionAuth-Signature-JWT" },
    bodyHash: { claim: "request_body_sha256", encoding: "base64" },
  },
  freeSecret: true,
  accepted: { status: 200 },
  read: readEvent({
    what: "a FusionAuth event",
    id: "event.id",
    type: "event.type",
    time: [["event.createInstant", "ms"]],
  }),
};
