import { hmacOfBody } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

/** An event. `type` begins with `access.` or `admin.`, for example `access.REGISTER`. */
export type KeycloakEvent = {
  type: string;
  uid?: string;
  time?: number;
  realmId?: string;
  authDetails?: { userId?: string; username?: string };
  details?: Readonly<Record<string, string>>;
  /** For `admin.*`: kind of the changed object (such as `USER`), kind of change, and path (such as `users/<id>`). */
  resourceType?: string;
  operationType?: "CREATE" | "UPDATE" | "DELETE" | "ACTION";
  resourcePath?: string;
};

/**
 * Keycloak with the events extension of Phase Two: `X-Keycloak-Signature`, an HMAC of the body in hex with SHA-256 or,
 * if configured, SHA-1. If the secret is the URL of the realm's keys (`https://…/protocol/openid-connect/certs`), a
 * bearer token of the realm instead.
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
