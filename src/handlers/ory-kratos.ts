import { sharedSecret } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

/** The body that the hook's Jsonnet makes. `identity`: Kratos's form, of which the Jsonnet may pass on all or parts. */
export type OryKratosEvent = {
  type: string;
  identity?: {
    id: string;
    traits?: Readonly<Record<string, unknown>> & { email?: string };
    verifiable_addresses?: { value: string; verified: boolean; via: string }[];
  };
};

/**
 * Ory Kratos and Ory Network: the API key or Basic credentials of the web hook. The hook's Jsonnet makes the body: let
 * it write a `type` for rules to match. All attempts of one delivery have the same `Ory-Webhook-Trigger-ID`.
 * @see https://www.ory.com/docs/kratos/hooks/configure-hooks
 */
export const oryKratos: Handler<OryKratosEvent> = {
  provider: "ory-kratos",
  about: {
    title: "Ory Kratos",
    secret: "ORY_KRATOS_WEBHOOK_SECRET",
    setUp: "the hook’s `auth`: `api_key` in the header `X-Api-Key` or `Authorization`, yours to choose",
  },
  scheme: sharedSecret,
  freeSecret: true,
  read: readEvent({
    what: "an Ory web hook",
    // Nothing is signed here: a sender who could repeat a body with another id has the secret, and two sign-ins of one
    // person may have equal bodies.
    id: { header: "Ory-Webhook-Trigger-ID" },
    type: "type",
    otherwise: "unknown",
  }),
};
