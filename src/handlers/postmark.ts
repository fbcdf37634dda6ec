import { sharedSecret } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

/** The status of a sent mail. */
type PostmarkEvent = {
  type: "Delivery" | "Bounce" | "SpamComplaint" | "Open" | "Click" | "SubscriptionChange" | "Inbound";
  RecordType: string;
  ID?: number;
  MessageID?: string;
  Email?: string;
  Recipient?: string;
  /** Kind of bounce, such as `HardBounce`. */
  Type?: string;
  /** True where Postmark stops sending to the address after this bounce. */
  Inactive?: boolean;
  /** `SubscriptionChange`: true where Postmark stops sending to the address, and the reason. */
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
 * Postmark does not sign. It sends Basic credentials, or headers that you name: `header` of the source. One mail may have many opens and
 * clicks, so their id is a digest.
 * @see https://postmarkapp.com/developer/webhooks/webhooks-overview
 */
export const postmark: Handler<PostmarkEvent> = {
  provider: "postmark",
  about: {
    title: "Postmark",
    secret: "POSTMARK_WEBHOOK_SECRET",
    setUp:
      "Message stream → Webhooks → Basic auth credentials: `user:password`, or a custom header (`header` of the source): yours to choose",
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
