import { hmacOfBody } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

type DescopeUser = {
  userId?: string;
  loginIds?: string[];
  email?: string;
  verifiedEmail?: boolean;
  givenName?: string;
  familyName?: string;
};

/** The connector's body. The user's place in an audit event is unconfirmed. */
export type DescopeEvent = {
  type: string;
  action?: string;
  userId?: string;
  data?: Readonly<Record<string, unknown>> & { user?: DescopeUser };
};

/**
 * Descope: base64 HMAC-SHA256 of the body or of the reserialized JSON; its documentation has both.
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
