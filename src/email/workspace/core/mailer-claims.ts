import { emailKey } from "../../../lib/util/email-key.ts";

/**
 * A claimed campaign mail without a row in `sends`: all that its row will have. `contact`, `message`: n. `list`,
 * `origin`: ids. `at`: Unix ms of the claim.
 */
export type CampaignMail = {
  n: number;
  id: string;
  revision: number;
  message: number;
  recipient: string;
  domain: string;
  contact: number;
  list: string | null;
  origin: string;
  at: number;
};

type Claimed = CampaignMail & { mailer: string };

export const messageIdOf = ({ id, domain }: Pick<CampaignMail, "id" | "domain">): string => `<${id}@${domain}>`;

/** Returns the claimed campaign mails of all Mailers, after a restart. */
export const claimedMails = (sql: SqlStorage): Claimed[] =>
  sql
    .exec<{ mailer: string; mails: string }>("SELECT mailer, mails FROM mailer_claims WHERE since IS NOT NULL")
    .toArray()
    .flatMap(({ mailer, mails }) => (JSON.parse(mails) as CampaignMail[]).map((mail) => ({ ...mail, mailer })));

/** Writes all claimed campaign mails of a Mailer. */
export const keepMails = (sql: SqlStorage, mailer: string, mails: readonly CampaignMail[]): void => {
  sql.exec(
    `INSERT INTO mailer_claims (mailer, mails, since, last) VALUES (?, ?, ?, ?)
     ON CONFLICT (mailer) DO UPDATE SET mails = excluded.mails, since = excluded.since, last = max(last, excluded.last)`,
    mailer,
    JSON.stringify(mails),
    mails.length === 0 ? null : Math.min(...mails.map(({ at }) => at)),
    Math.max(0, ...mails.map(({ n }) => n)),
  );
};

/** `due`, `at`, `mayLeaveAt`: Unix ms. */
type Row =
  | { state: "sending"; mailer: string; due: number | null }
  | { state: "queued"; due: number; error: string; mayLeaveAt: number | null }
  | { state: "sent"; mailer: string; sender: string; reply: string | null; at: number };

const addRow = (sql: SqlStorage, mail: CampaignMail, row: Row): void => {
  const { n, id, revision, message, recipient, contact, list, origin, at } = mail;
  const sent = row.state === "sent" ? row : undefined;
  const queued = row.state === "queued" ? row : undefined;
  sql.exec(
    `INSERT INTO sends (n, id, class, revision, recipient, recipient_key, message_id, state, attempts, due, mailer, sender, reply, error,
       variables, created_at, settled_at, preview, contact, list, origin, run, may_leave_at, dated_at)
     VALUES (?, ?, 'marketing', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, 0, ?, ?)`,
    n,
    id,
    revision,
    recipient,
    emailKey(recipient),
    messageIdOf(mail),
    row.state,
    queued ? 0 : 1,
    "due" in row ? row.due : null,
    "mailer" in row ? row.mailer : null,
    sent?.sender ?? null,
    sent?.reply ?? null,
    queued?.error ?? null,
    sent ? null : "{}",
    at,
    sent?.at ?? null,
    contact,
    list,
    origin,
    queued?.mayLeaveAt ?? null,
    queued ? null : at,
  );
  // A merged contact may have the mail already.
  sql.exec(
    "INSERT INTO engagement (contact, message, run, send, sent_at) VALUES (?, ?, 0, ?, ?) ON CONFLICT DO NOTHING",
    contact,
    message,
    n,
    sent?.at ?? null,
  );
};

/** Writes the row of a mail with a result that settles it next, so it is due at no time. */
export const addSettling = (sql: SqlStorage, { mailer, ...mail }: Claimed): void =>
  addRow(sql, mail, { state: "sending", mailer, due: null });

/** Writes the row of a mail that waits until `due` (Unix ms). */
export const addWaiting = (
  sql: SqlStorage,
  mail: CampaignMail,
  { due, error, mayLeaveAt }: { due: number; error: string; mayLeaveAt: number | null },
): void => addRow(sql, mail, { state: "queued", due, error, mayLeaveAt });

/** Writes the row of a mail that a mail provider accepted: most have only this one write. */
export const addSent = (
  { sql, now }: { sql: SqlStorage; now: number },
  { mailer, ...mail }: Claimed,
  sender: string,
  reply?: string,
): void => addRow(sql, mail, { state: "sent", mailer, sender, reply: reply ?? null, at: now });

const ensure = (sql: SqlStorage, condition: string, value: string | number): void => {
  const claimed = sql
    .exec<{ mailer: string; mail: string }>(
      `SELECT c.mailer, j.value AS mail FROM mailer_claims c, json_each(c.mails) j
       WHERE c.since IS NOT NULL AND ${condition} AND NOT EXISTS (SELECT 1 FROM sends WHERE n = j.value->>'n')`,
      value,
    )
    .toArray();
  for (const { mailer, mail } of claimed) {
    const one = JSON.parse(mail) as CampaignMail;
    addRow(sql, one, { state: "sending", mailer, due: one.at });
  }
};

/** Writes the row of a claimed campaign mail that has none, for all that happens to it before its result. */
export const ensureRow = (sql: SqlStorage, n: number): void => {
  if (sql.exec("SELECT 1 FROM sends WHERE n = ?", n).toArray().length === 0) ensure(sql, "j.value->>'n' = ?", n);
};

/** Writes the rows of a contact's claimed campaign mails. */
export const ensureRowsOf = (sql: SqlStorage, contact: number): void => ensure(sql, "j.value->>'contact' = ?", contact);

/** Writes the rows of all claimed campaign mails. */
export const ensureAllRows = (sql: SqlStorage): void => ensure(sql, "1 = ?", 1);

/** Writes the rows of mails that were claimed until `at` (Unix ms) and have no result yet. */
export const ensureOldRows = (sql: SqlStorage, at: number): void =>
  ensure(sql, "c.since <= ?1 AND j.value->>'at' <= ?1", at);
