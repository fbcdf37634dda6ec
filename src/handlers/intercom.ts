import { hmacOfBody } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

type IntercomEvent = {
  type: string;
  id: string;
  topic: string;
  created_at: number;
  data: {
    item: {
      type: string;
      id: string;
      email?: string | null;
      external_id?: string | null;
      name?: string | null;
      role?: "user" | "lead";
      source?: {
        type: string;
        delivered_as?: string;
        subject?: string | null;
        author?: { type: string; id: string; email?: string | null; name?: string | null };
      };
    };
  };
};

/**
 * Intercom: `X-Hub-Signature: sha1=<hex>`, an HMAC-SHA1 with the app's client secret.
 * @see https://developers.intercom.com/docs/webhooks
 */
export const intercom: Handler<IntercomEvent> = {
  provider: "intercom",
  about: {
    title: "Intercom",
    secret: "INTERCOM_WEBHOOK_SECRET",
    setUp: "Developer Hub → app → Basic information → Client secret",
  },
  scheme: hmacOfBody("X-Hub-Signature", { hash: "SHA-1", prefix: "sha1=" }),
  read: readEvent({
    what: "an Intercom notification",
    id: "id",
    type: "topic",
    time: [["created_at", "s"]],
    test: ({ topic }) => topic === "ping",
  }),
};
