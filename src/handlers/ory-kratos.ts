import { sharedSecret } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

export type OryKratosEvent = {
  type: string;
  identity?: {
    id: string;
    traits?: Readonly<Record<string, unknown>> & { email?: string };
    verifiable_addresses?: { value: string; verified: boolean; via: string }[];
  };
};

/**
 * Ory Kratos and Ory Network: an API key or Basic credentials. The hook's Jsonnet must write a `type`.
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
    // Only a sender with the secret could repeat a body with another id. Two sign-ins may have equal bodies.
    id: { header: "Ory-Webhook-Trigger-ID" },
    type: "type",
    otherwise: "unknown",
  }),
};
