import { bucketOf } from "../../policy/campaigns/times.ts";

/** The bucket of a time (Unix ms) for the message (n) of a campaign that has begun; undefined for another message. */
export const bucketFor = (sql: SqlStorage, message: number, at: number): string | undefined => {
  const [campaign] = sql
    .exec<{ startedAt: number; zone: string }>(
      `SELECT c.started_at AS startedAt, t.time_zone AS zone FROM email_messages m JOIN campaigns c ON c.n = m.campaign, team t
       WHERE m.n = ? AND c.started_at IS NOT NULL`,
      message,
    )
    .toArray();
  return campaign && bucketOf(at, campaign.startedAt, campaign.zone);
};

/** SQL: a JSON column with more in one of its counts. It takes key, key and number. */
export const moreIn = (column: string): string =>
  `json_set(coalesce(${column}, '{}'), '$.' || ?, max(0, coalesce(${column} ->> ('$.' || ?), 0) + ?))`;
