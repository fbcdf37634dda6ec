export const EVENT_TYPES = [
  "contact.created",
  "contact.deleted",
  "contact.unsubscribed",
  "contact.mailingList.subscribed",
  "contact.mailingList.unsubscribed",
  "transactional.email.sent",
  "campaign.email.sent",
  "loop.email.sent",
  "email.delivered",
  "email.softBounced",
  "email.hardBounced",
  "email.spamReported",
  "email.opened",
  "email.clicked",
  "email.unsubscribed",
  "email.resubscribed",
  "testing.testEvent",
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** `id` is empty if the recipient is no contact, `email` if the contact lacks one. */
export type ContactIdentity = { id: string; email: string; userId: string | null };

type About = { contactIdentity: ContactIdentity };

type ReportedContact = {
  id: string;
  email: string;
  firstName: string | null;
  lastName: string | null;
  source: string;
  subscribed: boolean;
  userGroup: string;
  userId: string | null;
  mailingLists: Record<string, boolean>;
  optInStatus: "accepted" | "pending" | "rejected" | null;
  [property: string]: unknown;
};

export type ReportedList = { id: string; name: string; description: string | null; isPublic: boolean };

/** `subject`: with unfilled variables, because values may be one-time codes. */
export type ReportedEmail = { id: string; emailMessageId: string; subject: string };

type OfMail = About & { email: ReportedEmail };
type OfCampaign = { sourceType: "campaign"; campaignId: string };
type OfWorkflow = { sourceType: "loop"; loopId: string };
type OfTemplate = { sourceType: "transactional"; transactionalId: string };
type Marketing = OfMail & (OfCampaign | OfWorkflow);
type Metric = OfMail & (OfCampaign | OfWorkflow | OfTemplate);

export type MailSource =
  | (OfTemplate & { transactionalName: string })
  | (OfCampaign & { campaignName: string; mailingLists: ReportedList[] })
  | (OfWorkflow & { loopName: string; mailingLists: ReportedList[] });

/** Transactional mail is not tracked and has no unsubscribe link. */
export type MailEventType = "email.delivered" | "email.softBounced" | "email.hardBounced" | "email.spamReported";
export type MarketingEventType = "email.opened" | "email.clicked" | "email.unsubscribed" | "email.resubscribed";

export type EventData = {
  "contact.created": About & { contact: ReportedContact };
  "contact.deleted": About;
  "contact.unsubscribed": About;
  "contact.mailingList.subscribed": About & { mailingList: ReportedList };
  "contact.mailingList.unsubscribed": About & { mailingList: ReportedList };
  "transactional.email.sent": OfMail & { transactionalId: string; transactionalName: string };
  "campaign.email.sent": OfMail & { campaignId: string; campaignName: string; mailingLists: ReportedList[] };
  "loop.email.sent": OfMail & { loopId: string; loopName: string; mailingLists: ReportedList[] };
  "email.delivered": Metric;
  "email.softBounced": Metric;
  "email.hardBounced": Metric;
  "email.spamReported": Metric;
  "email.opened": Marketing;
  "email.clicked": Marketing;
  "email.unsubscribed": Marketing;
  "email.resubscribed": Marketing;
  "testing.testEvent": { message: "test" };
};
