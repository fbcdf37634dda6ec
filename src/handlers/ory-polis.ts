import { timedHmac } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

type OryPolisEvent = {
  type: "user.created" | "user.updated" | "user.deleted" | "group.created" | "group.updated" | "group.deleted";
  directory_id: string;
  event: string;
  tenant: string;
  product: string;
  data: { id: string; email?: string; first_name?: string; last_name?: string; active?: boolean };
};

/**
 * Ory Polis: `Ory-Signature: t=<Unix ms>,s=<hex>`, an HMAC-SHA256 of `<t>.<body>`. Webhooks are sent once, without
 * id.
 * @see https://www.ory.com/docs/polis/directory-sync/webhooks
 */
export const oryPolis: Handler<OryPolisEvent> = {
  provider: "ory-polis",
  about: {
    title: "Ory Polis",
    secret: "ORY_POLIS_WEBHOOK_SECRET",
    setUp: "Directory Sync → connection → Webhook secret",
  },
  scheme: timedHmac("Ory-Signature", "ms", { names: ["t", "s"] }),
  read: readEvent({ what: "an Ory Polis event", type: "event" }),
};
