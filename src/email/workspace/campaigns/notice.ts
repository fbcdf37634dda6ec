import { log } from "../../../lib/util/log.ts";
import type { HoldReason } from "../../policy/campaigns/hold.ts";
import { readRevision } from "../content/messages.ts";
import { addNoticeTemplate, NOTICE_TEMPLATE } from "../content/samples.ts";
import { publishedRevision } from "../content/templates.ts";
import type { Context } from "../core/context.ts";
import { sendingDomainOf } from "../domains/sending-domain.ts";
import { acceptSend } from "../sending/sends.ts";
import { resolveValues } from "../sending/variables.ts";
import { readTeam } from "../team/team.ts";
import type { StoredCampaign } from "./campaign-rows.ts";

/** Sentences without words of mail providers, which may name a recipient. */
const REASONS: Readonly<Record<Exclude<HoldReason, "more_recipients">, string>> = {
  late: "It could not start within an hour after its time.",
  not_ready: "It was not ready at its time: its list, its audience or its mail lacks something.",
  sender_refuses: "The mail provider refuses its mails.",
  bounce_wave: "A mailbox provider says that many of its addresses do not exist.",
  bounce_rate: "Too many of its mails bounced.",
  complaint_rate: "Too many people reported it as spam.",
};

const number = new Intl.NumberFormat("en");

const reasonOf = ({ ready, confirmed, most }: StoredCampaign, reason: HoldReason): string =>
  reason === "more_recipients"
    ? `It would go to ${number.format(ready)} people now, and ${most === null ? `a person confirmed ${number.format(confirmed ?? 0)}` : `at most ${number.format(most)} were allowed`}.`
    : REASONS[reason];

const stateOf = ({ counts: { sent } }: StoredCampaign): string => {
  if (sent === 0) return "Nothing of it is sent.";
  return sent === 1 ? "It was sent to 1 person." : `It was sent to ${number.format(sent)} people.`;
};

/** Tells the team's address for notices that a campaign is held now. It names no recipient. */
export const tellTeam = (context: Context, campaign: StoredCampaign, reason: HoldReason): void => {
  const { noticeEmail } = readTeam(context.sql);
  if (noticeEmail === null) return;
  const refusal = sendNotice(context, campaign, { reason, recipient: noticeEmail });
  if (refusal !== undefined) log("notice_not_sent", { campaign: campaign.id, code: refusal });
};

/** Returns the code of a refusal. */
const sendNotice = (
  context: Context,
  campaign: StoredCampaign,
  { reason, recipient }: { reason: HoldReason; recipient: string },
): string | undefined => {
  const { sql, dashboardUrl } = context;
  const from = sendingDomainOf(context, "transactional");
  if ("refusal" in from) return from.refusal.code;
  addNoticeTemplate(context, readTeam(sql).name);
  const revision = publishedRevision(sql, NOTICE_TEMPLATE)?.revision;
  if (revision == null) return "template_not_published";
  const dataVariables = {
    campaign: campaign.name,
    reason: reasonOf(campaign, reason),
    state: stateOf(campaign),
    link: dashboardUrl === undefined ? "" : `${dashboardUrl}/campaigns/${encodeURIComponent(campaign.id)}`,
  };
  const resolved = resolveValues(readRevision(sql, revision), { dataVariables }, from.domain);
  if ("refusal" in resolved) return resolved.refusal.code;
  acceptSend(context, { revision, recipient, values: resolved.values, domain: from.domain });
  return undefined;
};
