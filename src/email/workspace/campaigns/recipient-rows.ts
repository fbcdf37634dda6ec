import { isoOrNull } from "../../../lib/util/dates.ts";
import { isClearing } from "../../policy/campaigns/next-step.ts";
import { commonReason } from "../../policy/campaigns/reason.ts";
import type { AdminInput } from "../../types/workspace-rpc.ts";
import { meaningOf } from "../sends/send-state-words.ts";
import type { StoredCampaign } from "./campaign-rows.ts";

export const STATES = {
  queued: "queued",
  in_ledger: "queued",
  sent: "sent",
  delivered: "delivered",
  bounced: "bounced",
  complained: "complained",
  failed: "failed",
  unknown: "unknown",
  skipped: "skipped",
  cancelled: "cancelled",
} as const;

export type StoredState = keyof typeof STATES;
export type RecipientState = (typeof STATES)[StoredState];

/** Times are Unix ms. */
type Row = {
  n: number;
  contactId: string;
  email: string | null;
  userId: string | null;
  state: StoredState;
  reason: string | null;
  sendId: string | null;
  sender: string | null;
  settledAt: number | null;
  sentAt: number | null;
  openedAt: number | null;
  clickedAt: number | null;
  unsubscribedAt: number | null;
};

export type Filters = Pick<AdminInput<"statistics.recipients">, "state" | "reason" | "group">;

/** A mail sent at its first attempt does not rewrite its recipient. */
const STATE = "iif(r.state = 'queued' AND e.sent_at IS NOT NULL, 'sent', r.state)";

/** A waiting mail may have no engagement yet. Mails of recipients after the cursor have no row. */
const WAITING = `iif(r.state = 'queued' AND r.contact <= (SELECT claimed_cursor FROM campaigns k WHERE k.n = r.campaign),
  (SELECT w.n FROM sends w WHERE w.recipient_key = c.email_key AND w.contact = c.n AND w.due IS NOT NULL
     AND w.origin = (SELECT id FROM campaigns k WHERE k.n = r.campaign)), NULL)`;

const GROUPS: Readonly<Record<NonNullable<Filters["group"]>, string>> = {
  opened: "e.opened_at IS NOT NULL",
  notOpened: `${STATE} IN ('sent', 'delivered', 'complained') AND e.opened_at IS NULL`,
  clicked: "e.clicked_at IS NOT NULL",
  unsubscribed: "e.unsubscribed_at IS NOT NULL",
};

/** Last contact (n) of a slice; undefined for the last slice. */
export const endOfSlice = (sql: SqlStorage, campaign: number, after: number, size: number): number | undefined =>
  sql
    .exec<{ contact: number }>(
      "SELECT contact FROM recipients WHERE campaign = ? AND contact > ? ORDER BY contact LIMIT 1 OFFSET ?",
      campaign,
      after,
      size - 1,
    )
    .toArray()[0]?.contact;

/** Recipients between two contacts (n; `to` included), in contact order. */
export const readRecipients = (
  sql: SqlStorage,
  campaign: Pick<StoredCampaign, "n" | "message" | "pass" | "state" | "maxContact">,
  { after, to, limit }: { after: number; to: number; limit: number },
  { state, reason, group }: Filters = {},
): Row[] => {
  if (isClearing(campaign)) return [];
  const { n, message } = campaign;
  const stored = Object.entries(STATES).flatMap(([name, shown]) => (shown === state ? [`'${name}'`] : []));
  const conditions = [
    ...(state === undefined ? [] : [`${STATE} IN (${stored.join(", ")})`]),
    ...(reason === undefined ? [] : ["r.reason IN (SELECT value FROM json_each(?6))"]),
    ...(group === undefined ? [] : [GROUPS[group]]),
  ];
  // The join order avoids reading most contacts.
  return sql
    .exec<Row>(
      `SELECT r.contact AS n, c.id AS contactId, c.email, c.user_id AS userId, ${STATE} AS state, r.reason, s.id AS sendId, s.sender,
         coalesce(r.settled_at, e.sent_at) AS settledAt, e.sent_at AS sentAt, e.opened_at AS openedAt, e.clicked_at AS clickedAt,
         e.unsubscribed_at AS unsubscribedAt
       FROM recipients r LEFT JOIN engagement e ON e.contact = r.contact AND e.message = ?2 AND e.run = 0
         CROSS JOIN contacts c ON c.n = r.contact LEFT JOIN sends s ON s.n = coalesce(e.send, ${WAITING})
       WHERE r.campaign = ?1 AND r.contact > ?3 AND r.contact <= ?4 ${conditions.map((condition) => `AND ${condition}`).join(" ")}
       ORDER BY r.contact LIMIT ?5`,
      n,
      message,
      after,
      to,
      limit,
      ...(reason === undefined ? [] : [JSON.stringify(reasonsLike(sql, n, { after, to }, reason))]),
    )
    .toArray();
};

const reasonsLike = (
  sql: SqlStorage,
  campaign: number,
  { after, to }: { after: number; to: number },
  wanted: string,
): string[] =>
  sql
    .exec<{ reason: string }>(
      `SELECT DISTINCT reason FROM recipients
       WHERE campaign = ? AND contact > ? AND contact <= ? AND reason IS NOT NULL`,
      campaign,
      after,
      to,
    )
    .toArray()
    .map(({ reason }) => reason)
    .filter((reason) => reason === wanted || commonReason(reason) === wanted);

export const shownRecipient = ({ n: _, state: stored, settledAt, ...row }: Row) => {
  const state = STATES[stored];
  return {
    contactId: row.contactId,
    email: row.email,
    userId: row.userId,
    state,
    reason: row.reason,
    meaning: meaningOfRecipient(state, row.reason, row.sender),
    sendId: row.sendId,
    settledAt: isoOrNull(settledAt),
    sentAt: isoOrNull(row.sentAt),
    openedAt: isoOrNull(row.openedAt),
    clickedAt: isoOrNull(row.clickedAt),
    unsubscribedAt: isoOrNull(row.unsubscribedAt),
  };
};

/** `sender`: of its mail, if known. */
export const meaningOfRecipient = (
  state: RecipientState,
  reason: string | null,
  sender: string | null = null,
): string => {
  switch (state) {
    case "queued":
      return "It waits to be sent.";
    case "cancelled":
      return "It was not sent, because the campaign was cancelled before.";
    case "skipped":
      if (reason === "merged") return "It was not sent, because the contact became one with another that has the mail.";
      return meaningOf({ ...OF_LEDGER, state: "not_sent", error: reason });
    default:
      return meaningOf({ ...OF_LEDGER, sender, state, error: reason });
  }
};

const OF_LEDGER = { attempts: 1, sender: null, held: 0, origin: null };
