import type { ContactIdentity, EventData, EventType, MailSource, ReportedEmail } from "../contract/outgoing-events.ts";

export type ReportedMail = { contactIdentity: ContactIdentity; email: ReportedEmail; source: MailSource };

type SentType = "transactional.email.sent" | "campaign.email.sent" | "loop.email.sent";
export const SENT_TYPES: readonly SentType[] = ["transactional.email.sent", "campaign.email.sent", "loop.email.sent"];

type EventOf<Type extends EventType> = { [One in Type]: { type: One; data: EventData[One] } }[Type];

export const sentEventOf = ({ source, ...mail }: ReportedMail): EventOf<SentType> => {
  switch (source.sourceType) {
    case "transactional": {
      const { transactionalId, transactionalName } = source;
      return { type: "transactional.email.sent", data: { ...mail, transactionalId, transactionalName } };
    }
    case "campaign": {
      const { campaignId, campaignName, mailingLists } = source;
      return { type: "campaign.email.sent", data: { ...mail, campaignId, campaignName, mailingLists } };
    }
    case "loop": {
      const { loopId, loopName, mailingLists } = source;
      return { type: "loop.email.sent", data: { ...mail, loopId, loopName, mailingLists } };
    }
  }
};

export const mailDataOf = ({ source, ...mail }: ReportedMail): EventData["email.delivered"] => {
  switch (source.sourceType) {
    case "transactional":
      return { ...mail, sourceType: source.sourceType, transactionalId: source.transactionalId };
    case "campaign":
      return { ...mail, sourceType: source.sourceType, campaignId: source.campaignId };
    case "loop":
      return { ...mail, sourceType: source.sourceType, loopId: source.loopId };
  }
};

/** Undefined for transactional mail, which has no such events. */
export const marketingDataOf = (mail: ReportedMail): EventData["email.opened"] | undefined => {
  const data = mailDataOf(mail);
  return data.sourceType === "transactional" ? undefined : data;
};
