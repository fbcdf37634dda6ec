import type { AudienceFilter } from "../../../lib/contract/audience/filter.ts";
import type { Refusal } from "../../../lib/contract/errors.ts";
import type { CampaignStatus, DeliveryState } from "../../campaigns/types.ts";
import type { Context } from "../base/context.ts";
import { nextNumber } from "../base/numbers.ts";

/** How many recipients are in each state. `queued`: not in the ledger yet. `inLedger`: in the ledger, without a result. */
type Counts = {
  recipients: number;
  queued: number;
  inLedger: number;
  sent: number;
  skipped: number;
  failed: number;
  unknown: number;
  cancelled: number;
};

/**
 * A campaign. `group`, `list`, `segment`: ids. `message`: n of its row. `scheduledAt`: Unix ms; null for the method "now". `state`: null
 * before it is launched. `reason`: why it is held. `startedAt`, `finishedAt`, `createdAt`, `updatedAt`: Unix ms.
 */
export type StoredCampaign = {
  n: number;
  id: string;
  name: string;
  group: string;
  message: number;
  messageId: string;
  list: string | null;
  segment: string | null;
  filter: AudienceFilter | null;
  method: "now" | "schedule";
  scheduledAt: number | null;
  status: CampaignStatus;
  state: DeliveryState | null;
  reason: string | null;
  maxContact: number | null;
  snapshotCursor: number;
  claimedCursor: number;
  counts: Counts;
  startedAt: number | null;
  finishedAt: number | null;
  createdAt: number;
  updatedAt: number;
};

type Row = Omit<StoredCampaign, "filter" | "counts"> & { filter: string | null } & Counts;

const CAMPAIGNS = `SELECT c.n, c.id, c.name, g.id AS "group", c.message, m.id AS messageId, c.list, c.segment, c.filter, c.method,
    c.scheduled_at AS scheduledAt, c.status, c.state, c.reason, c.max_contact AS maxContact,
    c.snapshot_cursor AS snapshotCursor, c.claimed_cursor AS claimedCursor, c.recipients, c.queued, c.in_ledger AS inLedger,
    c.sent, c.skipped, c.failed, c.unknown, c.cancelled, c.started_at AS startedAt, c.finished_at AS finishedAt,
    c.created_at AS createdAt, c.updated_at AS updatedAt
  FROM campaigns c JOIN content_groups g ON g.n = c.content_group JOIN email_messages m ON m.n = c.message`;

const stored = (row: Row): StoredCampaign => {
  const { recipients, queued, inLedger, sent, skipped, failed, unknown, cancelled, filter, ...rest } = row;
  return {
    ...rest,
    filter: filter === null ? null : (JSON.parse(filter) as AudienceFilter),
    counts: { recipients, queued, inLedger, sent, skipped, failed, unknown, cancelled },
  };
};

export const countCampaigns = (sql: SqlStorage): number =>
  sql.exec<{ total: number }>("SELECT count(*) AS total FROM campaigns").one().total;

/** The newest campaigns below a row number. */
export const listCampaigns = (sql: SqlStorage, before: number, limit: number): StoredCampaign[] =>
  sql.exec<Row>(`${CAMPAIGNS} WHERE c.n < ? ORDER BY c.n DESC LIMIT ?`, before, limit).toArray().map(stored);

export const findCampaign = (
  { sql }: Pick<Context, "sql">,
  id: string,
): { campaign: StoredCampaign } | { refusal: Refusal } => {
  const [row] = sql.exec<Row>(`${CAMPAIGNS} WHERE c.id = ?`, id).toArray();
  if (row) return { campaign: stored(row) };
  const message = `There is no campaign with the id "${id}". GET /v1/campaigns lists them.`;
  return { refusal: { code: "campaign_not_found", path: "campaignId", message } };
};

/** Campaigns that are scheduled or sending, those that are due first. */
export const activeCampaigns = (sql: SqlStorage): StoredCampaign[] =>
  sql
    .exec<Row>(`${CAMPAIGNS} WHERE c.status IN ('Scheduled', 'Sending') ORDER BY c.scheduled_at, c.n`)
    .toArray()
    .map(stored);

/** Values of a campaign that requests give. */
export type CampaignFields = Pick<StoredCampaign, "name" | "list" | "segment" | "filter" | "method" | "scheduledAt">;

/** The row number of the next campaign, so that its message can name it. */
export const nextCampaign = ({ sql, now }: Pick<Context, "sql" | "now">): number => nextNumber(sql, "campaigns", now);

/** Adds a draft. `group`: n of its group. */
export const addCampaign = (
  { sql, now }: Pick<Context, "sql" | "now">,
  {
    n,
    id,
    message,
    group,
    ...fields
  }: CampaignFields & Pick<StoredCampaign, "n" | "id" | "message"> & { group: number },
): void => {
  sql.exec(
    `INSERT INTO campaigns (n, id, message, content_group, name, list, segment, filter, method, scheduled_at, status, created_at,
       updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'Draft', ?, ?)`,
    ...[n, id, message, group, ...columnsOf(fields), now, now],
  );
};

/** Writes the fields of a campaign. `group`: n of its group; the campaign stays in its group without one. */
export const saveCampaign = (
  { sql, now }: Pick<Context, "sql" | "now">,
  { n }: Pick<StoredCampaign, "n">,
  { group, ...fields }: CampaignFields & { group?: number },
): void => {
  sql.exec(
    `UPDATE campaigns SET name = ?, list = ?, segment = ?, filter = ?, method = ?, scheduled_at = ?,
       content_group = coalesce(?, content_group), updated_at = ? WHERE n = ?`,
    ...[...columnsOf(fields), group ?? null, now, n],
  );
};

const columnsOf = ({ name, list, segment, filter, method, scheduledAt }: CampaignFields) => [
  ...[name, list, segment, filter === null ? null : JSON.stringify(filter), method, scheduledAt],
];
