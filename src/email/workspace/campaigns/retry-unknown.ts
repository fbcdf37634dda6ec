import type { Released } from "../../policy/campaigns/hold.ts";
import { countedAnew } from "../../policy/campaigns/refused-in-row.ts";
import type { Context } from "../core/context.ts";
import { keep, readKept } from "../core/kept-counts.ts";
import { findCampaign, handedOf, type StoredCampaign, withResult } from "./campaign-rows.ts";

/** `at`: Unix ms. `unknown`: count at the start. `leftOut`: by reason. */
export type Retry = {
  at: number;
  unknown: number;
  retried: number;
  leftOut: Record<string, number>;
  ended?: boolean;
};

const retryName = (id: string): string => `retry of ${id}`;

export const retryOf = (sql: SqlStorage, { id }: Pick<StoredCampaign, "id">): Retry | undefined =>
  readKept<Retry>(sql, retryName(id))?.result;

export const keepRetry = ({ sql, now }: Clock, { id }: Pick<StoredCampaign, "id">, retry: Retry): void =>
  keep(sql, now, retryName(id), retry);

/** Unknown mails with a deleted contact: the counts outlive the recipient. */
export const unknownOfDeleted = (sql: SqlStorage, { n, counts }: Pick<StoredCampaign, "n" | "counts">): number => {
  const { kept } = sql
    .exec<{ kept: number }>(
      `SELECT count(*) AS kept FROM recipients INDEXED BY recipients_reasons
       WHERE campaign = ? AND state = 'unknown' AND reason IS NOT NULL`,
      n,
    )
    .one();
  return Math.max(0, counts.unknown - kept);
};

type Clock = Pick<Context, "sql" | "now">;

const countRefusalsAnew = ({ sql, now }: Clock, { n, refusals, counts }: StoredCampaign, again: boolean): void => {
  const anew = JSON.stringify(countedAnew(refusals, { taken: counts.sent, now, again }));
  sql.exec("UPDATE campaigns SET refusals = ? WHERE n = ?", anew, n);
};

export const resumeRefused = (clock: Clock, campaign: StoredCampaign): void => {
  const { refusals, reason, counts } = campaign;
  if (refusals === null && counts.sent === 0) return;
  countRefusalsAnew(clock, campaign, refusals?.again === true && reason !== "sender_refuses");
};

/** Reopens a completed campaign for retried mails. Rates and refusals restart. */
export const goOnAgain = (clock: Clock, campaign: StoredCampaign): void => {
  const { sql, now } = clock;
  const { n, state, results, counts } = campaign;
  if (state !== "done") return;
  countRefusalsAnew(clock, campaign, true);
  const handed = handedOf(results);
  const released: Released = { bounce_rate: handed, complaint_rate: handed };
  sql.exec(
    `UPDATE campaigns SET status = 'Sending', state = 'sending', finished_at = NULL, released = ?, moving_since = ?, moved = ?, updated_at = ?
     WHERE n = ?`,
    JSON.stringify(released),
    now,
    withResult(counts),
    now,
    n,
  );
};

/** Keeps the rate while retried mails lower the result count. */
export const waitAgain = (sql: SqlStorage, { n }: Pick<StoredCampaign, "n">, mails: number): void => {
  sql.exec("UPDATE campaigns SET moved = moved - ? WHERE n = ?", mails, n);
};

export const mailAgain = (context: Clock, id: string): void => {
  const found = findCampaign(context, id);
  if ("refusal" in found) return;
  goOnAgain(context, found.campaign);
  waitAgain(context.sql, found.campaign, 1);
};
