import { hmacOfBody } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

/** An event. `type` begins with `access.` or `admin.`, as `access.REGISTER`. */
export type KeycloakEvent = {
  type: string;
  uid?: string;
  time?: number;
  realmId?: string;
  authDetails?: { userId?: string; username?: string };
  details?: Readonly<Record<string, string>>;
  /** Of `admin.*`: what was changed, as `USER`, how, and where it is, as `users/<id>`. */
  resourceType?: string;
  operationType?: "CREATE" | "UPDATE" | "DELETE" | "ACTION";
  resourcePath?: string;
};

/**
 * Keycloak with the events extension of Phase Two: `X-Keycloak-Signature`, an HMAC of the body in hex, SHA-256 or, set
 * so, SHA-1; or a bearer token of the realm, when the secret is the address of the realm's keys
 * (`https://…/protocol/openid-connect/certs`).
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
