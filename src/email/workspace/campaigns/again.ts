import type { Released } from "../../policy/campaigns/rates.ts";
import { countedAnew } from "../../policy/campaigns/refusals.ts";
import type { Context } from "../core/context.ts";
import { keep, readKept } from "../core/kept-counts.ts";
import { findCampaign, handedOf, type StoredCampaign, withResult } from "./rows.ts";

/**
 * How far the newest retry of mails is whose outcome was unknown. `at`: when a person asked for it, in Unix ms. `unknown`: how many there were
 * then. `retried`: those that are sent again until now; `leftOut`: those that are not, by reason. `ended`: all were looked at.
 */
export type Retry = {
  at: number;
  unknown: number;
  retried: number;
  leftOut: Record<string, number>;
  ended?: boolean;
};

const retryName = (id: string): string => `retry of ${id}`;

/** The newest retry of a campaign; undefined where no person has asked for one. */
export const retryOf = (sql: SqlStorage, { id }: Pick<StoredCampaign, "id">): Retry | undefined =>
  readKept<Retry>(sql, retryName(id))?.result;

/** Keeps how far a retry is. */
export const keepRetry = ({ sql, now }: Clock, { id }: Pick<StoredCampaign, "id">, retry: Retry): void =>
  keep(sql, now, retryName(id), retry);

/** Unknown mails of a campaign whose contact is deleted: the counts outlive it, and its recipient does not. */
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

/** A person has looked at a campaign: the refusals of its mails count anew. `again`: it sends mails again after it was done. */
const countRefusalsAnew = (sql: SqlStorage, { n, refusals, counts }: StoredCampaign, again: boolean): void => {
  const anew = JSON.stringify(countedAnew(refusals, counts.sent, again));
  sql.exec("UPDATE campaigns SET refusals = ? WHERE n = ?", anew, n);
};

/** A person resumes a campaign. Where it was held because the relay refused so many of the mails sent again, none of them fails alone now. */
export const resumeRefused = (sql: SqlStorage, campaign: StoredCampaign): void => {
  const { refusals, reason, counts } = campaign;
  // Nothing is known of the relay, as after the resume.
  if (refusals === null && counts.sent === 0) return;
  countRefusalsAnew(sql, campaign, refusals?.again === true && reason !== "relay_refuses");
};

/**
 * Has a campaign that was done go on, because mails of it are sent again: it is sending until they have a result. Its rates and
 * refusals count anew, because a person has looked at it, and the few mails that are sent again do not hold it. Another campaign stays as
 * it is.
 */
export const goOnAgain = ({ sql, now }: Clock, campaign: StoredCampaign): void => {
  const { n, state, results, counts } = campaign;
  if (state !== "done") return;
  countRefusalsAnew(sql, campaign, true);
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

/** Keeps the rate of a campaign while some of its mails that have a result wait again, which lowers their count. */
export const waitAgain = (sql: SqlStorage, { n }: Pick<StoredCampaign, "n">, mails: number): void => {
  sql.exec("UPDATE campaigns SET moved = moved - ? WHERE n = ?", mails, n);
};

/** Does what the campaign of a mail needs that a person has sent again. Call it before the mail waits. `id`: of the campaign. */
export const mailAgain = (context: Clock, id: string): void => {
  const found = findCampaign(context, id);
  if ("refusal" in found) return;
  goOnAgain(context, found.campaign);
  waitAgain(context.sql, found.campaign, 1);
};
