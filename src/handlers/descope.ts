import { hmacOfBody } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

/** A user, as far as Descope's API tells of one. */
type DescopeUser = {
  userId?: string;
  loginIds?: string[];
  email?: string;
  verifiedEmail?: boolean;
  givenName?: string;
  familyName?: string;
};

/**
 * What the connector was set up to send; an audit event has an `action`, as `UserCreated`. Where the user stands in it is
 * unconfirmed.
 */
export type DescopeEvent = {
  type: string;
  action?: string;
  userId?: string;
  data?: Readonly<Record<string, unknown>> & { user?: DescopeUser };
};

/**
 * Descope: `x-descope-webhook-s256`, an HMAC-SHA256 in base64. Its documents say both that the body is signed and that
 * the body as a JSON text is; both count.
 * @see https://docs.descope.com/connectors/connector-hmac-usage
 */
export const descope: Handler<DescopeEvent> = {
  provider: "descope",
  about: {
    title: "Descope",
    secret: "DESCOPE_WEBHOOK_SECRET",
    setUp: "Connectors → connector → HMAC secret: yours to choose",
  },
  scheme: hmacOfBody("x-descope-webhook-s256", { encoding: "base64", content: ["{body}", "{json}"] }),
  freeSecret: true,
  read: readEvent({ what: "a Descope event", type: "action", otherwise: "unknown", time: [["occurred", "ms"]] }),
};
