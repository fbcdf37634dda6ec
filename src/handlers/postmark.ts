import { sharedSecret } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

/** What became of a mail. */
type PostmarkEvent = {
  type: "Delivery" | "Bounce" | "SpamComplaint" | "Open" | "Click" | "SubscriptionChange" | "Inbound";
  RecordType: string;
  ID?: number;
  MessageID?: string;
  Email?: string;
  Recipient?: string;
  /** Of a bounce, as `HardBounce`. */
  Type?: string;
  /** Of a bounce: true where Postmark sends to this address no more. */
  Inactive?: boolean;
  /** Of `SubscriptionChange`: true where the address is not to be sent to from now on, and why. */
  SuppressSending?: boolean;
  SuppressionReason?: "HardBounce" | "SpamComplaint" | "ManualSuppression" | null;
  Tag?: string;
  Metadata?: Readonly<Record<string, string>>;
};

const form = {
  what: "a Postmark webhook",
  type: "RecordType",
  time: [
    ["DeliveredAt", "iso"],
    ["BouncedAt", "iso"],
    ["ReceivedAt", "iso"],
    ["ChangedAt", "iso"],
  ],
} as const;
const readBounce = readEvent<PostmarkEvent>({ ...form, id: ["RecordType", "ID"] });
const readDelivery = readEvent<PostmarkEvent>({ ...form, id: ["RecordType", "MessageID", "Recipient"] });
const readOther = readEvent<PostmarkEvent>(form);

/**
 * Postmark signs nothing: Basic authentication in the address, or a header of your own. Of one mail there may be many
 * opens and clicks, so these go by a digest.
 * @see https://postmarkapp.com/developer/webhooks/webhooks-overview
 */
export const postmark: Handler<PostmarkEvent> = {
  provider: "postmark",
  about: {
    title: "Postmark",
    secret: "POSTMARK_WEBHOOK_SECRET",
    setUp: "Message stream → Webhooks → Basic auth credentials: `user:password`, yours to choose",
  },
  scheme: sharedSecret,
  freeSecret: true,
  read: (request, content, now) => {
    const { RecordType } = Object(content) as Partial<PostmarkEvent>;
    if (RecordType === "Delivery") return readDelivery(request, content, now);
    return RecordType === "Bounce" || RecordType === "SpamComplaint"
      ? readBounce(request, content, now)
      : readOther(request, content, now);
  },
};
