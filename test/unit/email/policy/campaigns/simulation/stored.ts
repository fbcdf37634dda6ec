import type { CampaignStatus, ProgressState } from "../../../../../../src/email/policy/campaigns/types.ts";
import type { AudienceFilter } from "../../../../../../src/lib/contract/audience/filter.ts";
import { MAILS } from "../../workflows/simulation/mails.ts";
import type { MessagesOf } from "../../workflows/simulation/people.ts";
import { storedIn as storedOfWorkflows } from "../../workflows/simulation/stored.ts";

export type CampaignRow = {
  n: number;
  id: string;
  message: string;
  status: CampaignStatus;
  state: ProgressState | null;
  reason: string | null;
  list: string | null;
  segment: string | null;
  filter: AudienceFilter | null;
  scheduledAt: number | null;
  pass: string | null;
  passCursor: number;
  snapshotCursor: number;
  claimedCursor: number;
  maxContact: number | null;
};
export type Counts = Record<
  "recipients" | "queued" | "inLedger" | "sent" | "skipped" | "failed" | "unknown" | "cancelled",
  number
>;
export type RecipientRow = { campaign: number; contact: number; state: string; reason: string | null };
export type SendRow = {
  n: number;
  id: string;
  origin: string;
  contact: number | null;
  state: string;
  error: string | null;
  /** Unix ms. */
  settledAt: number | null;
  isFirst: number;
};

/** The engine's rows for the model. Contacts, segments and drafts are its input; the others are compared. */
export const storedIn = (sql: SqlStorage) => {
  const workflows = storedOfWorkflows(sql);
  const campaigns = (): CampaignRow[] =>
    sql
      .exec<Omit<CampaignRow, "filter"> & { filter: string | null }>(
        `SELECT c.n, c.id, m.id AS message, c.status, c.state, c.reason, c.list, c.segment, c.filter, c.scheduled_at AS scheduledAt,
           c.pass, c.pass_cursor AS passCursor, c.snapshot_cursor AS snapshotCursor, c.claimed_cursor AS claimedCursor,
           c.max_contact AS maxContact
         FROM campaigns c JOIN email_messages m ON m.n = c.message ORDER BY c.n`,
      )
      .toArray()
      .map((row) => ({ ...row, filter: row.filter === null ? null : (JSON.parse(row.filter) as AudienceFilter) }));
  return {
    ...workflows,
    campaigns,
    recipients: (n: number): RecipientRow[] =>
      sql
        .exec<RecipientRow>(
          `SELECT r.campaign, r.contact, iif(r.state = 'queued' AND e.sent_at IS NOT NULL, 'sent', r.state) AS state, r.reason
           FROM recipients r JOIN campaigns c ON c.n = r.campaign
             LEFT JOIN engagement e ON e.contact = r.contact AND e.message = c.message AND e.run = 0
           WHERE r.campaign = ? ORDER BY r.contact`,
          n,
        )
        .toArray(),
    mailsOfCampaign: (id: string): SendRow[] =>
      sql
        .exec<SendRow>(
          `SELECT n, id, origin, contact, state, error, settled_at AS settledAt, state = 'queued' AND attempts = 0 OR state = 'sending' AND attempts = 1 AS isFirst
           FROM ${MAILS} WHERE origin = ? ORDER BY n`,
          id,
        )
        .toArray(),
    refusalsOf: (id: string): ReadonlyMap<string, number[]> => {
      const rows = sql
        .exec<{ id: string; at: number }>(
          "SELECT s.id, value->>'at' AS at FROM sends s, json_each(s.history) WHERE s.origin = ? AND value->>'kind' = 'refused' AND value->>'$.detail.about' <> 'recipient' ORDER BY at",
          id,
        )
        .toArray();
      return new Map([...Map.groupBy(rows, (row) => row.id)].map(([send, all]) => [send, all.map(({ at }) => at)]));
    },
    retriedOf: (id: string): ReadonlyMap<string, number> =>
      new Map(
        sql
          .exec<{ id: string; at: number }>(
            "SELECT s.id, max(value->>'at') AS at FROM sends s, json_each(s.history) WHERE s.origin = ? AND value->>'kind' = 'retried' GROUP BY s.id",
            id,
          )
          .toArray()
          .map((row) => [row.id, row.at]),
      ),
    originsOf: (numbers: readonly number[]): string[] =>
      sql
        .exec<{ origin: string }>(
          `SELECT DISTINCT origin FROM ${MAILS} WHERE n IN (SELECT value FROM json_each(?)) AND origin IS NOT NULL`,
          JSON.stringify(numbers),
        )
        .toArray()
        .map(({ origin }) => origin),
    waitingOfWorkflows: (now: number): string[] =>
      sql
        .exec<{ id: string }>(
          `SELECT s.id FROM sends s JOIN workflows w ON w.id = s.origin WHERE w.status = 'Sending' AND w.deleted_at IS NULL
             AND s.state = 'queued' AND s.due <= ?`,
          now,
        )
        .toArray()
        .map(({ id }) => id),
    segments: (): ReadonlyMap<string, AudienceFilter> =>
      new Map(
        sql
          .exec<{ id: string; filter: string }>("SELECT id, filter FROM segments")
          .toArray()
          .map(({ id, filter }) => [id, JSON.parse(filter) as AudienceFilter]),
      ),
    alone: (contact: number): ReadonlyMap<number, string> =>
      new Map(
        sql
          .exec<{ campaign: number; state: string }>(
            `SELECT r.campaign, r.state FROM recipients r JOIN campaigns c ON c.n = r.campaign
             WHERE r.contact = ?1 AND NOT EXISTS (SELECT 1 FROM ${MAILS} s WHERE s.contact = ?1 AND s.origin = c.id)`,
            contact,
          )
          .toArray()
          .map(({ campaign, state }) => [campaign, state]),
      ),
    lastContact: (): number => sql.exec<{ last: number | null }>("SELECT max(n) AS last FROM contacts").one().last ?? 0,
    messagesOf: (): MessagesOf => {
      const messages = workflows.messagesOf();
      const named = new Map(campaigns().map(({ id, message }) => [id, message]));
      return (target, id) => (target === "campaign" ? [named.get(id) ?? []].flat() : messages(target, id));
    },
  };
};

export type Stored = ReturnType<typeof storedIn>;
