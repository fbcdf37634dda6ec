import * as z from "zod";
import type { EventType } from "../outgoing-events.ts";

const identity = z
  .object({ id: z.string(), email: z.string(), userId: z.string().nullable() })
  .meta({ id: "WebhookContactIdentity" });

const contact = z
  .looseObject({
    id: z.string(),
    email: z.string(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    source: z.string(),
    subscribed: z.boolean(),
    userGroup: z.string(),
    userId: z.string().nullable(),
    mailingLists: z.record(z.string(), z.boolean()),
    optInStatus: z.enum(["accepted", "pending", "rejected"]).nullable(),
  })
  .meta({ id: "WebhookContact" });

const list = z
  .object({ id: z.string(), name: z.string(), description: z.string().nullable(), isPublic: z.boolean() })
  .meta({ id: "WebhookMailingList" });

/** `subject`: with unfilled variables, because values may be one-time codes. */
const email = z
  .object({ id: z.string(), emailMessageId: z.string(), subject: z.string() })
  .meta({ id: "WebhookEmail" });

const about = { contactIdentity: identity };
const ofMail = { ...about, email };
const lists = { mailingLists: z.array(list) };
/** The id of its source, so one of three. */
const ids = { campaignId: z.string().optional(), loopId: z.string().optional() };
const ofMarketing = { ...ofMail, sourceType: z.enum(["campaign", "loop"]), ...ids };
const ofAnyMail = {
  ...ofMail,
  sourceType: z.enum(["campaign", "loop", "transactional"]),
  ...ids,
  transactionalId: z.string().optional(),
};

/** Fields of each outgoing event beside `eventName`, `eventTime` and `webhookSchemaVersion`. */
const dataOf: Readonly<Record<EventType, z.ZodRawShape>> = {
  "contact.created": { ...about, contact },
  "contact.deleted": about,
  "contact.unsubscribed": about,
  "contact.mailingList.subscribed": { ...about, mailingList: list },
  "contact.mailingList.unsubscribed": { ...about, mailingList: list },
  "transactional.email.sent": { ...ofMail, transactionalId: z.string(), transactionalName: z.string() },
  "campaign.email.sent": { ...ofMail, campaignId: z.string(), campaignName: z.string(), ...lists },
  "loop.email.sent": { ...ofMail, loopId: z.string(), loopName: z.string(), ...lists },
  "email.delivered": ofAnyMail,
  "email.softBounced": ofAnyMail,
  "email.hardBounced": ofAnyMail,
  "email.spamReported": ofAnyMail,
  "email.opened": ofMarketing,
  "email.clicked": ofMarketing,
  "email.unsubscribed": ofMarketing,
  "email.resubscribed": ofMarketing,
  "testing.testEvent": { message: z.literal("test") },
};

const idOf = (type: EventType): string =>
  `Webhook${type.replaceAll(/(?:^|\.)(.)/g, (_, letter: string) => letter.toUpperCase())}`;

/** Returns the schema of the body that an endpoint gets for an event. `eventTime`: Unix seconds. */
export const eventBodyOf = (type: EventType): z.ZodType =>
  z
    .object({
      eventName: z.literal(type),
      eventTime: z.int(),
      webhookSchemaVersion: z.string(),
      ...dataOf[type],
    })
    .meta({ id: idOf(type) });
