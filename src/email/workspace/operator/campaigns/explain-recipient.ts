import type { Refusal } from "../../../../lib/contract/errors.ts";
import { isoOf, isoOrNull } from "../../../../lib/util/dates.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import { findCampaign, type StoredCampaign } from "../../campaigns/campaign-rows.ts";
import { readRecipients, shownRecipient } from "../../campaigns/recipient-rows.ts";
import type { StoredContact } from "../../contacts/contact-rows.ts";
import type { Context } from "../../core/context.ts";
import { findSend } from "../../sending/sends.ts";
import { storyOf } from "../../sends/send-history.ts";
import { readSend } from "../../sends/send-rows.ts";
import { meaningOf } from "../../sends/send-state-words.ts";
import { readTeam } from "../../team/team.ts";
import { findContact } from "../workflows/contact.ts";

type Reason = { code: string; text: string };
type Recipient = ReturnType<typeof shownRecipient>;

/** Past filter matches are not stored. */
export const explainRecipient = async (
  context: Context,
  { campaignId, contact: given }: AdminInput<"statistics.contact">,
): Promise<{ body: unknown } | { refusal: Refusal }> => {
  const { sql, origin } = context;
  const known = findCampaign(context, campaignId);
  if ("refusal" in known) return known;
  const found = await findContact(sql, given, "contact");
  if ("refusal" in found) return found;
  // The campaign may have changed during the search.
  const current = findCampaign(context, campaignId);
  if ("refusal" in current) return current;
  const { campaign } = current;
  const { contact } = found;
  const range = { after: contact.n - 1, to: contact.n, limit: 1 };
  const recipient = readRecipients(sql, campaign, range).map(shownRecipient)[0];
  const n = recipient?.sendId ? findSend(sql, recipient.sendId) : undefined;
  const send = n === undefined ? undefined : readSend(sql, n);
  const url = `${origin}/admin/teams/${readTeam(sql).slug}/sends`;
  return {
    body: {
      contact: { id: contact.id, email: contact.email, userId: contact.userId },
      ...(recipient ? stateOf(recipient, send && meaningOf(send)) : whyNot(campaign, contact)),
      recipient: recipient ?? null,
      sendUrl: send ? `${url}/${send.id}` : null,
      story: [
        ...(campaign.startedAt === null
          ? []
          : [{ at: isoOf(campaign.startedAt), text: `The campaign "${campaign.name}" started.` }]),
        ...(send ? storyOf(sql, send).map(({ at, text }) => ({ at, text })) : recipient ? timesOf(recipient) : []),
      ],
    },
  };
};

const stateOf = ({ state, meaning }: Recipient, ofMail: string | undefined): Reason => ({
  code: state,
  text: state === "queued" && ofMail !== undefined ? ofMail : meaning,
});

const timesOf = ({ sentAt, openedAt, clickedAt, unsubscribedAt, settledAt, meaning }: Recipient) =>
  [
    { at: sentAt, text: "The mail was sent." },
    { at: sentAt === null ? settledAt : null, text: meaning },
    { at: openedAt, text: "It was opened." },
    { at: clickedAt, text: "A link of it was opened." },
    { at: unsubscribedAt, text: "The recipient unsubscribed." },
  ]
    .flatMap(({ at, text }) => (at === null ? [] : [{ at, text }]))
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));

const whyNot = (
  { state, startedAt, scheduledAt, status, maxContact, snapshotCursor, ...audience }: StoredCampaign,
  { n, createdAt }: StoredContact,
): Reason => {
  const started = isoOrNull(startedAt);
  if (state === null || started === null || startedAt === null) {
    const when = status === "Scheduled" && scheduledAt !== null ? ` It starts at ${isoOf(scheduledAt)}.` : "";
    return { code: "not_started", text: `The campaign has not started, so its recipients are not known.${when}` };
  }
  if ((maxContact !== null && n > maxContact) || createdAt > startedAt) {
    const text = `The contact was created at ${isoOf(createdAt)}, after the campaign started (${started}). Only contacts that existed then are recipients.`;
    return { code: "created_later", text };
  }
  // Without a last contact, it was canceled before it searched: recipients of an undone start are deleted first.
  if (maxContact === null || (snapshotCursor < maxContact && n > snapshotCursor)) {
    return state === "cancelled"
      ? { code: "cancelled", text: "The campaign was cancelled before it looked at this contact." }
      : { code: "not_looked_at", text: "The recipients are being collected, and this contact was not looked at yet." };
  }
  const parts = [
    ...(audience.list === null ? [] : ["its mailing list"]),
    ...(audience.segment === null ? [] : ["its segment"]),
    ...(audience.filter === null ? [] : ["its filter"]),
  ];
  return {
    code: "not_selected",
    text:
      parts.length === 0
        ? `The contact was not among the recipients when the campaign started (${started}). The reason is not stored.`
        : `When the campaign started (${started}), the contact did not meet ${parts.join(" and ")}. How the contact was then is not stored.`,
  };
};
