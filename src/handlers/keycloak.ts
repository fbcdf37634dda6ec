import { hmacOfBody } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

/** `type` begins with `access.` or `admin.`, for example `access.REGISTER`. */
export type KeycloakEvent = {
  type: string;
  uid?: string;
  time?: number;
  realmId?: string;
  authDetails?: { userId?: string; username?: string };
  details?: Readonly<Record<string, string>>;
  resourceType?: string;
  operationType?: "CREATE" | "UPDATE" | "DELETE" | "ACTION";
  resourcePath?: string;
};

/**
 * Keycloak with Phase Two events: a hex HMAC (SHA-256 or SHA-1), or a bearer token if the secret is the realm's JWKS
 * URL.
 * @see https://github.com/p2-inc/keycloak-events#webhooks
 */
export const keycloak: Handler<KeycloakEvent> = {
  provider: "keycloak",
  about: {
    title: "Keycloak (Phase Two events)",
    secret: "KEYCLOAK_WEBHOOK_SECRET",
    setUp: "the webhook’s `secret`: yours to choose",
  },
  scheme: {
    kind: "any",
    of: [
      hmacOfBody("X-Keycloak-Signature"),
      hmacOfBody("X-Keycloak-Signature", { hash: "SHA-1" }),
      {
        kind: "jwt",
        at: { header: "Authorization" },
        prefix: "Bearer ",
        bodyHash: { claim: "request_body_sha256", encoding: "hex" },
      },
    ],
  },
  freeSecret: true,
  read: readEvent({ what: "a Keycloak event", id: "uid", type: "type", otherwise: "unknown", time: [["time", "ms"]] }),
};
