import { sharedSecret } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

type PostmarkEvent = {
  type: "Delivery" | "Bounce" | "SpamComplaint" | "Open" | "Click" | "SubscriptionChange" | "Inbound";
  RecordType: string;
  ID?: number;
  MessageID?: string;
  Email?: string;
  Recipient?: string;
  Type?: string;
  /** True if Postmark stops sending to the address. */
  Inactive?: boolean;
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
 * Postmark: Basic credentials or a named header. Opens and clicks repeat, so their id is a digest.
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
