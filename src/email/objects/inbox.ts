import { DurableObject } from "cloudflare:workers";
import { encodedHintsOf, finderOf, type Names, sureNames } from "../../lib/names/finder.ts";
import { migrate } from "../../lib/util/migrate.ts";
import type { Env } from "../env.ts";
import { shownHeader } from "../mail/mime/header-fields.ts";
import type { Captured, CapturedMail, InboxPage, InboxRpc } from "../types/inbox-rpc.ts";
import type { Handover, Mail } from "../types/mail-handover.ts";
import { schema } from "./inbox/schema.ts";

const KEEP = 1_000;
/** Bytes of the database, in which a mail may have 3 MB. */
const MAX_BYTES = 200_000_000;
const DELETED = 10;
/** Characters per mail: a row may have 2 MB. */
const MAX_MAIL = 1_500_000;

/** Captures mail of every team for development. Empty unless INBOX is "1". */
export class Inbox extends DurableObject<Env> implements InboxRpc {
  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    migrate(state.storage, schema);
  }

  async capture(mail: Mail): Promise<Handover> {
    const json = JSON.stringify(capturedOf(mail));
    if (json.length > MAX_MAIL) {
      return { outcome: "refused", about: "content", message: `The mail has more than ${MAX_MAIL} characters.` };
    }
    const { sql } = this.ctx.storage;
    this.ctx.storage.transactionSync(() => {
      sql.exec("INSERT OR IGNORE INTO mails (id, mail, at) VALUES (?, ?, ?)", mail.id, json, Date.now());
      sql.exec("DELETE FROM mails WHERE n <= (SELECT max(n) FROM mails) - ?", KEEP);
      // The mail adds one row at most, so this keeps up.
      if (sql.databaseSize > MAX_BYTES)
        sql.exec("DELETE FROM mails WHERE n IN (SELECT n FROM mails ORDER BY n LIMIT ?) AND id <> ?", DELETED, mail.id);
    });
    return { outcome: "accepted" };
  }

  async page(limit: number, before = Number.MAX_SAFE_INTEGER): Promise<InboxPage> {
    const { sql } = this.ctx.storage;
    const field = (name: string) => `json_extract(mail, '$.${name}')`;
    const mails = sql
      .exec<Captured>(
        `SELECT n, id, at, ${field("team")} AS team, ${field("from")} AS "from", ${field("to")} AS "to",
           ${field("subject")} AS subject
         FROM mails WHERE n < ? ORDER BY n DESC LIMIT ?`,
        before,
        limit,
      )
      .toArray();
    return { mails, total: sql.exec<{ total: number }>("SELECT count(*) AS total FROM mails").one().total };
  }

  async erase(team: string, names: Names, dryRun: boolean): Promise<number> {
    const { sql } = this.ctx.storage;
    const finder = finderOf(sureNames(names));
    const rows = sql.exec<{ n: number; mail: string }>(
      `SELECT n, mail FROM mails WHERE json_extract(mail, '$.team') = ?
         AND EXISTS (SELECT 1 FROM json_each(?) WHERE instr(lower(mail), value))`,
      team,
      JSON.stringify(encodedHintsOf(sureNames(names))),
    );
    const found = [];
    for (const { n, mail } of rows) if (finder.isIn(mail)) found.push(n);
    if (!dryRun) for (const n of found) sql.exec("DELETE FROM mails WHERE n = ?", n);
    return found.length;
  }

  async read(id: string): Promise<CapturedMail | undefined> {
    const row = this.ctx.storage.sql
      .exec<{ mail: string; at: number }>("SELECT mail, at FROM mails WHERE id = ?", id)
      .toArray()[0];
    return row && { ...(JSON.parse(row.mail) as CapturedMail), at: row.at };
  }
}

const addresses = (mailboxes: Mail["to"]): string[] => mailboxes.map(({ address }) => address);

const capturedOf = (mail: Mail): Omit<CapturedMail, "at"> => {
  const { id, team, from, to, bcc, subject, html, text } = mail;
  return {
    id,
    team,
    from: from.address,
    to: addresses(to).join(", "),
    bcc: addresses(bcc),
    subject,
    html,
    text,
    headers: shownHeader(mail),
    attachments: mail.attachments.map(({ filename, contentType, content }) => ({
      filename,
      contentType,
      size: content.length,
    })),
  };
};
