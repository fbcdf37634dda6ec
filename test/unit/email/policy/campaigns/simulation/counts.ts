import type { ModelCampaign } from "./model.ts";
import { sizes } from "./sizes.ts";
import type { Counts, RecipientRow, SendRow } from "./stored.ts";

const MIN_SENDS = 500 / sizes.weight;

const LEFT = ["sent", "delivered", "complained"];

const hasLeft = ({ id, state }: SendRow, returned: ReadonlySet<string>): boolean =>
  LEFT.includes(state) || (state === "bounced" && returned.has(id));

const of = (rows: readonly { state: string }[], ...states: string[]): number =>
  rows.filter(({ state }) => states.includes(state)).length;

/** The expected counts of a campaign, from its recipients, their mails and returned mails. */
export const countsOf = (
  { gone }: ModelCampaign,
  recipients: readonly RecipientRow[],
  mails: readonly SendRow[],
  returned: ReadonlySet<string>,
): Counts => {
  const withMail = new Set(mails.map(({ contact }) => contact));
  const alone = recipients.filter(({ contact }) => !withMail.has(contact));
  const cancelled = mails.filter(({ state, error }) => state === "not_sent" && error === "campaign_cancelled").length;
  const sent = mails.filter((mail) => hasLeft(mail, returned)).length;
  const counts = {
    queued: of(alone, "queued"),
    inLedger: of(mails, "queued", "sending"),
    sent,
    skipped: of(alone, "skipped") + of(mails, "not_sent") - cancelled + gone.skipped,
    failed: of(mails, "failed", "bounced", ...LEFT) - sent,
    unknown: of(mails, "unknown"),
    cancelled: cancelled + of(alone, "cancelled") + gone.cancelled,
  };
  return { recipients: Object.values(counts).reduce((sum, count) => sum + count, 0), ...counts };
};

export const holdsOf = (mails: readonly SendRow[]): string[] => {
  const [bounced, complained] = [of(mails, "bounced"), of(mails, "complained")];
  const handed = of(mails, ...LEFT, "bounced");
  if (handed < MIN_SENDS) return [];
  return [
    ...(bounced > 0.05 * handed ? ["bounce_rate"] : []),
    ...(complained > 0.001 * handed ? ["complaint_rate"] : []),
  ];
};
