import { resendScheme } from "../lib/signature/providers.ts";
import { readStandardHeaders } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

type ResendEvent =
  | {
      type:
        | "email.sent"
        | "email.delivered"
        | "email.delivery_delayed"
        | "email.complained"
        | "email.bounced"
        | "email.opened"
        | "email.clicked"
        | "email.failed";
      created_at: string;
      data: {
        email_id: string;
        to: string[];
        from: string;
        subject: string;
        bounce?: { type: string; subType: string; message: string };
      };
    }
  | {
      type: "contact.created" | "contact.updated" | "contact.deleted";
      created_at: string;
      data: { id: string; email: string; unsubscribed: boolean };
    };

const read = readEvent<ResendEvent>({ what: "a Resend event", type: "type", time: [["created_at", "iso"]] });

/**
 * Resend sends through Svix.
 * @see https://resend.com/docs/dashboard/webhooks/verify-webhooks-requests
 */
export const resend: Handler<ResendEvent> = {
  provider: "resend",
  about: { title: "Resend", secret: "RESEND_WEBHOOK_SECRET", setUp: "Webhooks → endpoint → Signing Secret" },
  scheme: resendScheme,
  read: async (request, content, now) => {
    const { digest: _, ...envelope } = await read(request, content, now);
    return { ...envelope, id: readStandardHeaders(request.headers, ["svix", "webhook"]).id ?? envelope.id };
  },
};
