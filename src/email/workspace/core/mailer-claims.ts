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

/** `mailer`: of a mail that was attempted. `due`, `at`, `mayLeaveAt`: Unix ms. `history`: JSON. */
type Row = {
  state: "sending" | "queued" | "sent" | "bounced" | "failed" | "unknown";
  mailer?: string;
  due?: number;
  error?: string;
  mayLeaveAt?: number | null;
  history?: string;
  sender?: string;
  reply?: string | undefined;
  at?: number;
};

const addRow = (sql: SqlStorage, mail: CampaignMail, row: Row): void => {
  const { n, id, revision, recipient, contact, list, origin, at } = mail;
  sql.exec(
    `INSERT INTO sends (n, id, class, revision, recipient, recipient_key, message_id, state, attempts, due, mailer, sender, reply, error,
       variables, created_at, settled_at, preview, contact, list, origin, run, may_leave_at, dated_at, history)
     VALUES (?, ?, 'marketing', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, 0, ?, ?, ?)`,
    n,
    id,
    revision,
    recipient,
    emailKey(recipient),
    messageIdOf(mail),
    row.state,
    row.mailer === undefined ? 0 : 1,
    row.due ?? null,
    row.mailer ?? null,
    row.sender ?? null,
    row.reply ?? null,
    row.error ?? null,
    row.at === undefined ? "{}" : null,
    at,
    row.at ?? null,
    contact,
    list,
    origin,
    row.mayLeaveAt ?? null,
    row.mailer === undefined ? null : at,
    row.history ?? null,
  );
};

/** A merged contact may have the mail already. */
const addEngagement = (sql: SqlStorage, { contact, message, n }: CampaignMail, sentAt: number | null): void => {
  sql.exec(
    "INSERT INTO engagement (contact, message, run, send, sent_at) VALUES (?, ?, 0, ?, ?) ON CONFLICT DO NOTHING",
    contact,
    message,
    n,
    sentAt,
  );
};

/** Writes the row of a mail that is refused or unknown, and its result at its recipient, as triggers do after it. */
export const addRefused = (
  sql: SqlStorage,
  { mailer, ...mail }: Claimed,
  row: Pick<Row, "due" | "sender" | "at" | "history"> & { state: "bounced" | "failed" | "unknown"; error: string },
): void => {
  addRow(sql, mail, { ...row, mailer });
  addEngagement(sql, mail, row.state === "failed" ? null : (row.at ?? mail.at));
  sql.exec(
    `UPDATE recipients SET state = ?, reason = substr(?, 1, 200), send = ?, settled_at = ?
     WHERE campaign = (SELECT n FROM campaigns WHERE id = ?) AND contact = ?`,
    row.state,
    row.error,
    mail.n,
    row.at ?? null,
    mail.origin,
    mail.contact,
  );
};

/**
 * Writes the row of a mail that waits until `due` (Unix ms). Its row in `engagement` comes with its end, or earlier if
 * something happens to the mail or its contact.
 *
 * @param row `mailer`, `history`: of an attempt
 */
export const addWaiting = (
  sql: SqlStorage,
  mail: CampaignMail,
  row: Required<Pick<Row, "due" | "error" | "mayLeaveAt">> & Pick<Row, "mailer" | "history">,
): void => addRow(sql, mail, { state: "queued", ...row });

/** Writes the row of a mail that a mail provider accepted: most have only this one write. */
export const addSent = (
  { sql, now }: { sql: SqlStorage; now: number },
  { mailer, ...mail }: Claimed,
  sender: string,
  reply?: string,
): void => {
  addRow(sql, mail, { state: "sent", mailer, sender, reply, at: now });
  addEngagement(sql, mail, now);
};

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
    addEngagement(sql, one, null);
  }
};

/** Writes the missing rows in `engagement` of mails (`sends s`) without a result. */
const engage = (sql: SqlStorage, sends: string, where: string, ...values: number[]): void => {
  sql.exec(
    `INSERT OR IGNORE INTO engagement (contact, message, run, send) SELECT s.contact, r.message, s.run, s.n
     FROM ${sends} CROSS JOIN message_revisions r ON r.n = s.revision
     WHERE ${where} AND s.due IS NOT NULL AND s.contact IS NOT NULL AND s.preview = 0`,
    ...values,
  );
};

const TO_CONTACT = "contacts c CROSS JOIN sends s ON s.recipient_key = c.email_key AND s.contact = c.n";

/** Writes the rows of a campaign mail that it lacks, for all that happens to it before its result. */
export const ensureRow = (sql: SqlStorage, n: number): void => {
  const [row] = sql.exec<{ due: number | null }>("SELECT due FROM sends WHERE n = ?", n).toArray();
  if (!row) ensure(sql, "j.value->>'n' = ?", n);
  else if (row.due !== null) engage(sql, "sends s", "s.n = ?", n);
};

/** Writes the rows of a contact's campaign mails that they lack, before its address changes or it goes. */
export const ensureRowsOf = (sql: SqlStorage, contact: number): void => {
  ensure(sql, "j.value->>'contact' = ?", contact);
  engage(sql, TO_CONTACT, "c.n = ?", contact);
};

/** Writes the rows in `engagement` of waiting mails to the recipients after `after`, up to `until` (contacts). */
export const ensureRowsOfCampaign = (
  sql: SqlStorage,
  { campaign, after, until }: { campaign: number; after: number; until: number },
): void =>
  engage(
    sql,
    `recipients t CROSS JOIN ${TO_CONTACT}`,
    "t.campaign = ? AND t.contact > ? AND t.contact <= ? AND c.n = t.contact",
    campaign,
    after,
    until,
  );

/** Writes the rows of all claimed campaign mails. */
export const ensureAllRows = (sql: SqlStorage): void => ensure(sql, "1 = ?", 1);

/** Writes the rows of mails that were claimed until `at` (Unix ms) and have no result yet. */
export const ensureOldRows = (sql: SqlStorage, at: number): void =>
  ensure(sql, "c.since <= ?1 AND j.value->>'at' <= ?1", at);
