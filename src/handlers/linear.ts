import { hmacOfBody } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

/** A change. `type`: kind of object and action, such as `Issue.create`. */
export type LinearEvent = {
  type: string;
  action: "create" | "update" | "remove";
  createdAt: string;
  data: Readonly<Record<string, unknown>> & {
    id?: string;
    identifier?: string;
    title?: string;
    /** Priority of an issue: 0 none, 1 urgent, 2 high, 3 medium, 4 low. */
    priority?: number;
    team?: { key: string; name: string };
    state?: { name: string; type: string };
  };
  /** Former values of the fields that an update changed. */
  updatedFrom?: Readonly<Record<string, unknown>>;
  url?: string;
  actor?: { id: string; type: string; name?: string; email?: string };
  organizationId: string;
  webhookTimestamp: number;
};

/**
 * Linear: `Linear-Signature`, an HMAC-SHA256 of the body in hex. The sending time is in the body and may be 60 s off,
 * as in Linear's own library.
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
    // Not `webhookId`: that is the id of the webhook's configuration. Each attempt has its own sending time.
    unsignedId: { header: "Linear-Delivery", without: ["webhookTimestamp"] },
    type: ["type", "action"],
    time: [["createdAt", "iso"]],
  }),
};
