import type { AudienceFilter } from "../../../lib/contract/audience/filter.ts";
import type { Refusal } from "../../../lib/contract/errors.ts";
import type { Handed, Released } from "../../policy/campaigns/hold.ts";
import { isClearing } from "../../policy/campaigns/next-step.ts";
import { type Refusals, readRefusals } from "../../policy/campaigns/refused-in-row.ts";
import type { CampaignStatus, ProgressState } from "../../policy/campaigns/types.ts";
import { firstTime } from "../core/chore.ts";
import type { Context } from "../core/context.ts";
import { keep, readKept } from "../core/kept-counts.ts";
import { nextNumber } from "../core/numbers.ts";

/**
 * Recipients per state. `queued`: not in the ledger. `inLedger`: no result yet. `sent`: taken by the mail provider.
 */
export type Counts = {
  recipients: number;
  queued: number;
  inLedger: number;
  sent: number;
  skipped: number;
  failed: number;
  unknown: number;
  cancelled: number;
};

/** Mails with an answer. `deferred`: waiting after an attempt. */
export type Results = Handed & { deferred: number };
export const handedOf = ({ deferred: _, ...handed }: Results): Handed => handed;

/**
 * Campaign row. `group`, `list`, `segment`: ids. `message`: n. `state`: null before sending. `segmentFilter`: when it was
 * scheduled.
 * `released`: mails at a resume after a rate hold. `refusals`: may concern all mails. `reason`: of a hold. `wave`: n.
 * `pass`: sliced work up to `passCursor`; for `cancel` see `isClearing`. `confirmed`: confirmed recipients, or null.
 * `most`: recipients above which it is held at its start; null: the default of `confirmed`. `ready`: eligible contacts.
 * `notSelected`, `notOnList`: contacts that are no recipients, or null. `deleted`: deleted or merged contacts. Times: Unix ms; `scheduledAt` is null for "now".
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
  state: ProgressState | null;
  reason: string | null;
  segmentFilter: AudienceFilter | null;
  released: Released | null;
  refusals: Refusals | null;
  wave: number | null;
  pass: "cancel" | "retry" | null;
  passCursor: number;
  passAt: number | null;
  maxContact: number | null;
  confirmed: number | null;
  most: number | null;
  ready: number;
  notSelected: number | null;
  notOnList: number | null;
  snapshotCursor: number;
  claimedCursor: number;
  counts: Counts;
  deleted: number;
  results: Results;
  movingSince: number | null;
  moved: number;
  startedAt: number | null;
  finishedAt: number | null;
  createdAt: number;
  updatedAt: number;
};

type Filter = "filter" | "segmentFilter";
type Json = Filter | "released" | "refusals";
type Row = Omit<StoredCampaign, Json | "counts" | "results"> & Record<Json, string | null> & Counts & Results;

/**
 * SQL counts of campaign `c` and message `k`. Recipients move to the message counts with their mail, so a settled
 * mail writes no other row.
 */
const COUNTS = `c.recipients, c.queued, coalesce(k.accepted - k.settled, 0) AS inLedger, coalesce(k.sends - k.refused, 0) AS sent,
    c.skipped + coalesce(k.not_sent - k.cancelled, 0) AS skipped,
    coalesce(k.settled - k.not_sent - k.unknown - (k.sends - k.refused), 0) AS failed, coalesce(k.unknown, 0) AS unknown,
    c.cancelled + coalesce(k.cancelled, 0) AS cancelled, coalesce(k.sends, 0) AS sends, coalesce(k.hard_bounces, 0) AS hardBounces,
    coalesce(k.soft_bounces, 0) AS softBounces,
    coalesce(k.spam_reports, 0) AS complaints, coalesce(k.deferred, 0) AS deferred`;

const CAMPAIGNS = `SELECT c.n, c.id, c.name, g.id AS "group", c.message, m.id AS messageId, c.list, c.segment, c.filter, c.method,
    c.scheduled_at AS scheduledAt, c.status, c.state, c.reason, c.segment_filter AS segmentFilter, c.released, c.refusals, c.wave, c.pass,
    c.pass_cursor AS passCursor, c.pass_at AS passAt, c.max_contact AS maxContact, c.confirmed, c.most, c.ready,
    c.not_selected AS notSelected, c.not_on_list AS notOnList,
    c.snapshot_cursor AS snapshotCursor, c.claimed_cursor AS claimedCursor,
    ${COUNTS}, c.deleted, c.moving_since AS movingSince, c.moved, c.started_at AS startedAt, c.finished_at AS finishedAt, c.created_at AS createdAt, c.updated_at AS updatedAt
  FROM campaigns c JOIN content_groups g ON g.n = c.content_group JOIN email_messages m ON m.n = c.message
  LEFT JOIN message_counts k ON k.message = c.message`;

const read = <T>(json: string | null): T | null => (json === null ? null : (JSON.parse(json) as T));

const NONE = { recipients: 0, queued: 0, skipped: 0 };

const stored = (row: Row): StoredCampaign => {
  const { recipients, queued, inLedger, sent, skipped, failed, unknown, cancelled, ...others } = row;
  const { sends, hardBounces, softBounces, complaints, deferred, ...rest } = others;
  const all = { recipients, queued, inLedger, sent, skipped, failed, unknown, cancelled };
  const isOld = isClearing(rest);
  return {
    ...rest,
    filter: read<AudienceFilter>(rest.filter),
    segmentFilter: read<AudienceFilter>(rest.segmentFilter),
    released: read<Released>(rest.released),
    refusals: readRefusals(rest.refusals),
    counts: { ...all, ...(isOld ? NONE : {}) },
    deleted: isOld ? 0 : rest.deleted,
    results: { sends, hardBounces, softBounces, complaints, deferred },
  };
};

export const countCampaigns = (sql: SqlStorage, status: CampaignStatus | null = null): number =>
  sql
    .exec<{ total: number }>("SELECT count(*) AS total FROM campaigns WHERE status = coalesce(?, status)", status)
    .one().total;

/** True if a campaign is done or was cancelled. */
export const hasFinished = (sql: SqlStorage): boolean =>
  sql.exec("SELECT 1 FROM campaigns WHERE finished_at IS NOT NULL LIMIT 1").toArray().length > 0;

export const listCampaigns = (
  sql: SqlStorage,
  before: number,
  limit: number,
  status: CampaignStatus | null = null,
): StoredCampaign[] =>
  sql
    .exec<Row>(
      `${CAMPAIGNS} WHERE c.n < ? AND c.status = coalesce(?, c.status) ORDER BY c.n DESC LIMIT ?`,
      before,
      status,
      limit,
    )
    .toArray()
    .map(stored);

export const findCampaign = (
  { sql }: Pick<Context, "sql">,
  id: string,
): { campaign: StoredCampaign } | { refusal: Refusal } => {
  const [row] = sql.exec<Row>(`${CAMPAIGNS} WHERE c.id = ?`, id).toArray();
  if (row) return { campaign: stored(row) };
  const message = `There is no campaign with the id "${id}". GET /v1/campaigns lists them.`;
  return { refusal: { code: "campaign_not_found", path: "campaignId", message } };
};

export const campaignInRow = (sql: SqlStorage, n: number): StoredCampaign | undefined =>
  sql.exec<Row>(`${CAMPAIGNS} WHERE c.n = ?`, n).toArray().map(stored)[0];

/** Campaigns with possible work at `now` (Unix ms). */
export const activeCampaigns = (sql: SqlStorage, now: number): StoredCampaign[] =>
  sql
    .exec<Row>(
      `${CAMPAIGNS} WHERE c.n IN (SELECT n FROM campaigns WHERE status IN ('Scheduled', 'Sending') AND (status = 'Sending' OR scheduled_at <= ?)
         UNION ALL SELECT n FROM campaigns WHERE pass IS NOT NULL) ORDER BY c.n`,
      now,
    )
    .toArray()
    .map(stored);

/** Next start after `now`, in Unix ms; infinity if none. */
export const nextStart = (sql: SqlStorage, now: number): number =>
  firstTime(
    sql,
    `SELECT min(scheduled_at) AS at FROM campaigns
     WHERE status IN ('Scheduled', 'Sending') AND status = 'Scheduled' AND scheduled_at > ${now}`,
  );

export const withResult = ({ sent, skipped, failed, unknown }: Counts): number => sent + skipped + failed + unknown;

/** Restarts the rate measurement. */
export const startToMove = (
  { sql, now }: Pick<Context, "sql" | "now">,
  { n, counts }: Pick<StoredCampaign, "n" | "counts">,
): void => {
  sql.exec("UPDATE campaigns SET moving_since = ?, moved = ? WHERE n = ?", now, withResult(counts), n);
};

export type CampaignFields = Pick<StoredCampaign, "name" | "list" | "segment" | "filter" | "method" | "scheduledAt">;

export const nextCampaign = ({ sql, now }: Pick<Context, "sql" | "now">): number => nextNumber(sql, "campaigns", now);

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
    n,
    id,
    message,
    group,
    ...columnsOf(fields),
    now,
    now,
  );
};

/** Writes campaign fields. `group`: n; absent keeps the group. */
export const saveCampaign = (
  { sql, now }: Pick<Context, "sql" | "now">,
  { n }: Pick<StoredCampaign, "n">,
  { group, ...fields }: CampaignFields & { group?: number },
): void => {
  sql.exec(
    `UPDATE campaigns SET name = ?, list = ?, segment = ?, filter = ?, method = ?, scheduled_at = ?,
       content_group = coalesce(?, content_group), updated_at = ? WHERE n = ?`,
    ...columnsOf(fields),
    group ?? null,
    now,
    n,
  );
};

const columnsOf = ({ name, list, segment, filter, method, scheduledAt }: CampaignFields) => [
  name,
  list,
  segment,
  filter === null ? null : JSON.stringify(filter),
  method,
  scheduledAt,
];

const FAILED = "campaigns that failed";
type Failing = Record<string, { until: number; error: string }>;

/** Stores a failed step and its retry at `until` (Unix ms). */
export const keepFailure = (sql: SqlStorage, now: number, id: string, until: number, error: string): void => {
  const failing = Object.entries(readKept<Failing>(sql, FAILED)?.result ?? {}).filter(([, one]) => one.until > now);
  keep(sql, now, FAILED, { ...Object.fromEntries(failing), [id]: { until, error } });
};

/** Failure of the newest step, until its retry. */
export const failureOf = (sql: SqlStorage, now: number, id: string): Failing[string] | undefined => {
  const failure = readKept<Failing>(sql, FAILED)?.result[id];
  return failure && failure.until > now ? failure : undefined;
};
