import { READ } from "../../policy/campaigns/slice.ts";

type Recipient = { contact: number; send: number | null };

const NEXT = `SELECT contact, state, send FROM recipients WHERE campaign = ? AND contact > ? ORDER BY contact LIMIT ${READ}`;

/** `cursor`: start of the next slice; undefined at the end. */
export const nextRecipients = (
  sql: SqlStorage,
  campaign: number,
  { after, state, limit }: { after: number; state: string; limit: number },
): { found: Recipient[]; cursor: number | undefined } => {
  const found = sql
    .exec<Recipient>(`SELECT contact, send FROM (${NEXT}) WHERE state = ? LIMIT ?`, campaign, after, state, limit)
    .toArray();
  if (found.length === limit) return { found, cursor: found.at(-1)?.contact };
  const { read, last } = sql
    .exec<{ read: number; last: number | null }>(
      `SELECT count(*) AS read, max(contact) AS last FROM (${NEXT})`,
      campaign,
      after,
    )
    .one();
  return { found, cursor: read < READ ? undefined : (last ?? undefined) };
};
