import { hmacOfBody } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

/** A user in the form of Descope's API. */
type DescopeUser = {
  userId?: string;
  loginIds?: string[];
  email?: string;
  verifiedEmail?: boolean;
  givenName?: string;
  familyName?: string;
};

/**
 * The body that the connector is set up to send. An audit event has an `action` such as `UserCreated`. The place of the
 * user in it is unconfirmed.
 */
export type DescopeEvent = {
  type: string;
  action?: string;
  userId?: string;
  data?: Readonly<Record<string, unknown>> & { user?: DescopeUser };
};

/**
 * Descope: `x-descope-webhook-s256`, an HMAC-SHA256 in base64. In one place Descope documents that the body is signed,
 * in another the body serialized again as JSON. Both are accepted.
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
