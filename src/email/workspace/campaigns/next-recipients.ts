import { READ } from "../../policy/campaigns/slice.ts";

type Recipient = { contact: number; send: number | null };

/** SQL of the recipients after a contact that one slice reads. */
const NEXT = `SELECT contact, state, send FROM recipients WHERE campaign = ? AND contact > ? ORDER BY contact LIMIT ${READ}`;

/**
 * The next recipients of a campaign in a state, in the order of their contacts. `cursor`: the contact after which the next slice goes on;
 * undefined when no more are left.
 */
export const nextRecipients = (
  sql: SqlStorage,
  campaign: number,
  { after, state, limit }: { after: number; state: string; limit: number },
): { found: Recipient[]; cursor: number | undefined } => {
  // SQLite stops to read as soon as it has enough of them.
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
