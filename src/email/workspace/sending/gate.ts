import { emailKey } from "../../../lib/util/email-key.ts";
import { domainOf } from "../../delivery/mailer/compose-mail.ts";
import { missingConsent } from "../../policy/segments/consent.ts";
import type { CompiledMessage } from "../../types/compiled-message.ts";
import type { FooterClaim, MarketingClaim } from "../../types/mailer-rpc.ts";
import { contactInRow, type StoredContact, toResponse } from "../contacts/contact-rows.ts";
import { findRevision, isMarketing } from "../content/messages.ts";
import { readTeam } from "../team/team.ts";
import { reasonNotToSend, suppressedKeys } from "./suppression.ts";
import { eventIn, valuesOfContact } from "./variables.ts";

/** Returns why a contact gets no marketing mail, or undefined. */
export const reasonNotToMarket = (
  sql: SqlStorage,
  contact: Pick<StoredContact, "email" | "data">,
  list: string | null,
): string | undefined => {
  if (contact.email === null) return "no_email";
  return missingConsent(contact.data, list) ?? reasonNotToSend(sql, contact.email);
};

/** Returns why the marketing mail in row `n` is not allowed, or undefined. */
export const reasonAgainst = (sql: SqlStorage, n: number): string | undefined => {
  const { contact: number, list } = sql
    .exec<Pick<Row, "contact" | "list">>("SELECT contact, list FROM sends WHERE n = ?", n)
    .one();
  const contact = number === null ? undefined : contactInRow(sql, number);
  return contact ? reasonNotToMarket(sql, contact, list) : "contact_deleted";
};

/** Returns the reasons of several contacts by `n`, with one query. */
export const reasonsNotToMarket = (
  sql: SqlStorage,
  contacts: readonly StoredContact[],
  list: string | null,
): Map<number, string> => {
  const keys = contacts.flatMap(({ email }) => (email === null ? [] : [emailKey(email)]));
  const suppressed = new Set(suppressedKeys(sql, keys));
  const reasonOf = ({ email, data }: StoredContact): string | undefined => {
    if (email === null) return "no_email";
    return missingConsent(data, list) ?? (suppressed.has(emailKey(email)) ? "suppressed" : undefined);
  };
  return new Map(
    contacts.flatMap((contact) => {
      const reason = reasonOf(contact);
      return reason === undefined ? [] : [[contact.n, reason] as const];
    }),
  );
};

/** SQL of the same reason, without mailing lists and digests of erased persons; NULL allows mail. */
export const REASON_NOT_TO_MARKET = `CASE WHEN contacts.email IS NULL THEN 'no_email'
  WHEN contacts.data->>'$.subscribed' = 0 THEN 'unsubscribed'
  WHEN contacts.data->>'$.optInStatus' IN ('pending', 'rejected') THEN 'not_confirmed'
  WHEN EXISTS (SELECT 1 FROM suppressions WHERE suppressions.email_key = contacts.email_key) THEN 'suppressed' END`;

type Row = {
  list: string | null;
  origin: string | null;
  run: number | null;
  contact: number | null;
  attempts: number;
  revision: number;
  variables: string;
  message_id: string;
  untracked: number | null;
  message: number | null;
  removed_at: number | null;
  current: number | null;
};

export const footerTextsOf = ({ name, postalAddress, footer }: ReturnType<typeof readTeam>): FooterClaim => ({
  team: name,
  ...(postalAddress === null ? {} : { postalAddress }),
  ...(footer === null ? {} : { footer }),
});

/** Returns the footer of a preview; undefined for non-marketing messages. */
export const footerOfPreview = (sql: SqlStorage, revision: number): FooterClaim | undefined =>
  isMarketing(sql, revision) ? footerTextsOf(readTeam(sql)) : undefined;

export type Passed = { values?: string; marketing?: MarketingClaim };
export type Checked = Passed & { reason?: string | undefined };

type Mail = {
  contact: StoredContact;
  list: string | null;
  origin: string | null;
  run: number;
  message: number;
  isUntracked: boolean;
};

/** Decides on marketing mail of contacts, with values and claim of each mail that may leave. */
export const createMarketingGate = (sql: SqlStorage) => {
  const settings = readTeam(sql);
  const footer = footerTextsOf(settings);
  const contents = new Map<number, CompiledMessage | undefined>();
  const contentOf = (revision: number): CompiledMessage | undefined => {
    if (!contents.has(revision)) contents.set(revision, findRevision(sql, revision));
    return contents.get(revision);
  };
  const pass = (
    { contact, list, origin, run, message, isUntracked }: Mail,
    { content, variables, domain }: { content: CompiledMessage; variables: string; domain: string },
  ): Checked => {
    const given = { contactProperties: toResponse(contact), eventProperties: eventIn(variables) };
    const resolved = valuesOfContact(content, given, domain);
    if ("reason" in resolved) return resolved;
    const marketing = {
      contact: { n: contact.n, id: contact.id },
      message,
      run,
      ...(list === null ? {} : { list }),
      ...(origin === null ? {} : { origin }),
      isTracked: settings.tracking && !isUntracked,
      ...footer,
    };
    return { values: JSON.stringify(resolved.values), marketing };
  };
  return { contentOf, pass };
};

/**
 * Checks marketing mails before each attempt. Address and values are current; content is the newest until the first
 * attempt.
 */
export const createGate = (sql: SqlStorage) => {
  const { contentOf, pass } = createMarketingGate(sql);
  return (n: number, recipient: string): Checked => {
    const row = readRow(sql, n);
    const { message, list } = row;
    const revision = row.attempts === 0 ? (row.current ?? row.revision) : row.revision;
    const content = contentOf(revision);
    if (message === null || row.removed_at !== null || !content) return { reason: "message_deleted" };
    const contact = row.contact === null ? undefined : contactInRow(sql, row.contact);
    if (!contact) return { reason: "contact_deleted" };
    const reason = reasonNotToMarket(sql, contact, list);
    if (reason !== undefined) return { reason };
    const mail = { contact, list, origin: row.origin, run: row.run ?? 0, message, isUntracked: row.untracked === 1 };
    const passed = pass(mail, { content, variables: row.variables, domain: domainOf(row.message_id) });
    if (passed.reason !== undefined) return passed;
    const { email } = contact;
    if (email !== null && email !== recipient)
      sql.exec("UPDATE sends SET recipient = ?, recipient_key = ? WHERE n = ?", email, emailKey(email), n);
    if (revision !== row.revision) sql.exec("UPDATE sends SET revision = ? WHERE n = ?", revision, n);
    return passed;
  };
};

const readRow = (sql: SqlStorage, n: number): Row =>
  sql
    .exec<Row>(
      `SELECT s.list, s.origin, s.run, s.contact, s.attempts, s.revision, s.variables, s.message_id, c.untracked,
         m.n AS message, m.removed_at, m.revision AS current
       FROM sends s LEFT JOIN contacts c ON c.n = s.contact
       LEFT JOIN message_revisions r ON r.n = s.revision LEFT JOIN email_messages m ON m.n = r.message WHERE s.n = ?`,
      n,
    )
    .one();
