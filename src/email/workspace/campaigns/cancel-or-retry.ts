import { CANCELLED, ENDED, RETRIED } from "../../policy/campaigns/slice.ts";
import { contactsByNumber } from "../contacts/contact-rows.ts";
import type { Context } from "../core/context.ts";
import { END_WAITING, UNKNOWN_SINCE } from "../core/end-mail-sql.ts";
import { ensureRowsOfCampaign } from "../core/mailer-claims.ts";
import { reasonsNotToMarket } from "../sending/gate.ts";
import { noteEvents } from "../sending/send-events.ts";
import type { StoredCampaign } from "./campaign-rows.ts";
import { nextRecipients } from "./next-recipients.ts";
import { goOnAgain, keepRetry, retryOf, waitAgain } from "./retry-unknown.ts";

/** Mail in flight keeps its result. */
export const cancelNext = ({ sql, now }: Context, campaign: StoredCampaign): void => {
  const { n, message, passCursor, claimedCursor, maxContact } = campaign;
  const { end } = sql
    .exec<{ end: number | null }>(
      `SELECT max(contact) AS "end" FROM (SELECT contact FROM recipients WHERE campaign = ? AND contact > ? ORDER BY contact LIMIT ?)`,
      n,
      passCursor,
      passCursor < claimedCursor ? ENDED : CANCELLED,
    )
    .one();
  const last = end ?? Math.max(maxContact ?? 0, passCursor);
  ensureRowsOfCampaign(sql, { campaign: n, after: passCursor, until: Math.min(last, claimedCursor) });
  sql.exec(
    `UPDATE sends SET ${END_WAITING} WHERE state = 'queued' AND n IN (SELECT e.send FROM recipients r JOIN engagement e ON e.contact = r.contact
       WHERE r.campaign = ? AND r.contact > ? AND r.contact <= ? AND r.state IN ('queued', 'in_ledger') AND e.message = ? AND e.run = 0)`,
    "campaign_cancelled",
    now,
    n,
    passCursor,
    last,
    message,
  );
  const { length } = sql
    .exec(
      `UPDATE recipients SET state = 'cancelled', settled_at = ?
       WHERE campaign = ? AND contact > ? AND contact <= ? AND state = 'queued' AND contact > ? RETURNING 1`,
      now,
      n,
      passCursor,
      last,
      claimedCursor,
    )
    .toArray();
  sql.exec(
    "UPDATE campaigns SET queued = queued - ?, cancelled = cancelled + ?, pass_cursor = ? WHERE n = ?",
    length,
    length,
    last,
    n,
  );
};

/** Deletes recipients of an undone start. Throws if a campaign has mail. */
export const clearNext = ({ sql, now }: Context, campaign: StoredCampaign): void => {
  const { n } = campaign;
  const deleted = sql
    .exec<{ state: string }>(
      `DELETE FROM recipients WHERE campaign = ?1 AND contact IN
         (SELECT contact FROM recipients WHERE campaign = ?1 ORDER BY contact LIMIT ?2) RETURNING state`,
      n,
      CANCELLED,
    )
    .toArray();
  if (hasMails(sql, campaign) || deleted.some(({ state }) => state !== "queued" && state !== "skipped"))
    throw new Error(`The recipients of ${campaign.id} are not deleted, because it has mails.`);
  const isDone = deleted.length < CANCELLED ? 1 : 0;
  // Triggers counted the deleted rows.
  sql.exec(
    `UPDATE campaigns SET recipients = 0, queued = 0, skipped = 0, deleted = 0, pass = iif(?1, NULL, pass),
       finished_at = iif(?1 AND state = 'cancelled', ?2, finished_at) WHERE n = ?3`,
    isDone,
    now,
    n,
  );
};

const hasMails = (sql: SqlStorage, { message, claimedCursor }: StoredCampaign): boolean =>
  claimedCursor > 0 ||
  sql.exec("SELECT 1 FROM message_counts WHERE message = ? AND accepted > 0", message).toArray().length > 0;

/** Mails of contacts without consent stay unknown. */
export const retryNext = (context: Context, campaign: StoredCampaign): void => {
  const { sql, now } = context;
  const { n, list, passCursor, counts } = campaign;
  const passAt = campaign.passAt ?? 0;
  const { found, cursor } = nextRecipients(sql, n, { after: passCursor, state: "unknown", limit: RETRIED });
  const contacts = contactsByNumber(
    sql,
    found.map(({ contact }) => contact),
  );
  const reasons = reasonsNotToMarket(sql, contacts, list);
  const since = sinceOf(
    sql,
    found.flatMap(({ send }) => send ?? []),
  );
  const begun = retryOf(sql, campaign) ?? { at: passAt, unknown: counts.unknown, retried: 0, leftOut: {} };
  const leftOut = { ...begun.leftOut };
  let again = 0;
  for (const { contact, send } of found) {
    const mail = send ?? 0;
    const unknownSince = since.get(mail);
    if (unknownSince !== undefined && unknownSince > passAt) continue;
    // Sends are kept for 30 days only.
    const reason = unknownSince === undefined ? "mail_deleted" : reasons.get(contact);
    if (reason !== undefined) {
      leftOut[reason] = (leftOut[reason] ?? 0) + 1;
      continue;
    }
    // Its 24 hours start now.
    sql.exec(
      `UPDATE sends SET state = 'queued', due = ?1, settled_at = NULL, variables = coalesce(variables, '{}'), may_leave_at = ?1 WHERE n = ?2`,
      now,
      mail,
    );
    again += 1;
    noteEvents(context, mail, { kind: "retried", detail: { state: "unknown" } });
  }
  if (again > 0) goOnAgain(context, campaign);
  waitAgain(sql, campaign, again);
  const isDone = cursor === undefined;
  keepRetry(context, campaign, { ...begun, retried: begun.retried + again, leftOut, ended: isDone });
  sql.exec("UPDATE campaigns SET pass = ?, pass_cursor = ? WHERE n = ?", isDone ? null : "retry", cursor ?? 0, n);
};

const sinceOf = (sql: SqlStorage, sends: readonly number[]): Map<number, number> =>
  new Map(
    sql
      .exec<{ n: number; since: number }>(
        `SELECT s.n, ${UNKNOWN_SINCE} AS since FROM sends s WHERE s.n IN (SELECT value FROM json_each(?)) AND s.state = 'unknown'`,
        JSON.stringify(sends),
      )
      .toArray()
      .map(({ n, since }) => [n, since]),
  );
