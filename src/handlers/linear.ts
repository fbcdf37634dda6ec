import { hmacOfBody } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

export type LinearEvent = {
  type: string;
  action: "create" | "update" | "remove";
  createdAt: string;
  data: Readonly<Record<string, unknown>> & {
    id?: string;
    identifier?: string;
    title?: string;
    /** 0 none, 1 urgent, 2 high, 3 medium, 4 low. */
    priority?: number;
    team?: { key: string; name: string };
    state?: { name: string; type: string };
  };
  updatedFrom?: Readonly<Record<string, unknown>>;
  url?: string;
  actor?: { id: string; type: string; name?: string; email?: string };
  organizationId: string;
  webhookTimestamp: number;
};

/**
 * Linear: hex HMAC-SHA256 in `Linear-Signature`. The body's sending time may be 60 s off.
 * @see https://linear.app/developers/webhooks#securing-webhooks
 */
export const linear: Handler<LinearEvent> = {
  provider: "linear",
  about: { title: "Linear", secret: "LINEAR_WEBHOOK_SECRET", setUp: "Settings → API → Webhooks → Signing secret" },
  scheme: hmacOfBody("Linear-Signature", {
    timestamp: { at: { json: "webhookTimestamp" }, unit: "ms", tolerance: 60 },
  }),
  read: readEvent({
    what: "a Linear event",
    // `webhookId` is the configuration's id. Each attempt has a different sending time.
    unsignedId: { header: "Linear-Delivery", without: ["webhookTimestamp"] },
    type: ["type", "action"],
    time: [["createdAt", "iso"]],
  }),
};
