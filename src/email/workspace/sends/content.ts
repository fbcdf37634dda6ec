import { fill, namesAsValues, type Values } from "../../../lib/lmx/fill.ts";
import { noLinks, plainBody } from "../../../lib/mail-body/body.ts";
import { isoOf, isoOrNull } from "../../../lib/util/dates.ts";
import { domainOf, senderOf } from "../../delivery/mailer/compose-mail.ts";
import { shownHeader } from "../../mail/mime/header-fields.ts";
import type { CompiledMessage } from "../../types/compiled-message.ts";
import type { AdminInput } from "../../types/workspace-rpc.ts";
import { contactInRow, toResponse } from "../contacts/contact-rows.ts";
import { findRevision, isMarketing } from "../content/messages.ts";
import type { Context, Result } from "../core/context.ts";
import { keptValues, NOT_KEPT } from "../sending/kept-values.ts";
import { eventIn, knownValues } from "../sending/variables.ts";
import { readTeam } from "../team/team.ts";
import { findRow, sendNotFound } from "./find-send.ts";
import type { SendRow } from "./send-rows.ts";

type Stored = {
  revision: number;
  variables: string | null;
  contact: number | null;
  list: string | null;
  dated_at: number | null;
  attachments: number;
};

/**
 * Returns a mail as sent. Erased values show their names; tracking is removed and the recipient's links are disabled.
 */
export const showContent = (context: Context, { sendId }: AdminInput<"sends.content">): Result<unknown> => {
  const { sql, publicUrl } = context;
  const row = findRow(sql, sendId);
  if (!row) return sendNotFound(sendId);
  const stored = sql
    .exec<Stored>("SELECT revision, variables, contact, list, dated_at, attachments FROM sends WHERE n = ?", row.n)
    .one();
  const content = findRevision(sql, stored.revision);
  const kept = stored.variables === null ? keptValues(context, row.n) : undefined;
  if (kept) stored.variables = kept.data;
  const areStored = stored.variables !== null;
  const about = {
    id: row.id,
    values: areStored ? "stored" : "erased",
    keptUntil: isoOrNull(kept?.until ?? null),
    attachments: stored.attachments,
  };
  if (!content) {
    const note = "The content of this mail was deleted. Its story stays until the mail is deleted.";
    return { body: { ...about, note, headers: [], html: null, text: null } };
  }
  const values = { ...namesAsValues(content), ...noLinks, ...(areStored ? valuesOf(sql, content, stored) : {}) };
  const filled = {
    html: fill(content.html, values, publicUrl === "" ? undefined : publicUrl),
    text: fill(content.text, values),
  };
  const hasFooter = row.class === "marketing" || (row.preview === 1 && isMarketing(sql, stored.revision));
  const body = plainBody(filled, hasFooter ? footerIn(sql) : undefined);
  const headers = Object.entries(headersOf(sql, row, stored, content, values)).map(([name, value]) => ({
    name,
    value,
  }));
  const note = kept?.data.includes(NOT_KEPT) ? NOT_ALL : noteOf(content, row, areStored);
  return { body: { ...about, note, headers, ...body } };
};

const NOT_ALL = `Values that may let a person in, or work once, were not kept: ${NOT_KEPT}, or a link that leads nowhere, is in their places.`;

const noteOf = ({ variables }: CompiledMessage, row: SendRow, areStored: boolean): string | null => {
  if (variables.length === 0) return null;
  if (!areStored) {
    return "The values of this mail were erased when it was settled, because they may have had a one-time link. The names of the values are in their places.";
  }
  return row.class === "marketing" ? "The mail has not left. It shows the contact as it is now." : null;
};

const valuesOf = (sql: SqlStorage, content: CompiledMessage, { variables, contact: n }: Stored): Values => {
  const stored = variables ?? "{}";
  const contact = n === null ? undefined : contactInRow(sql, n);
  if (!contact) return JSON.parse(stored) as Values;
  return knownValues(content, { contactProperties: toResponse(contact), eventProperties: eventIn(stored) });
};

const footerIn = (sql: SqlStorage) => {
  const { name, postalAddress, footer } = readTeam(sql);
  return { team: name, postalAddress, footer };
};

const PERSONAL = "a link of the recipient, not shown";

const headersOf = (sql: SqlStorage, row: SendRow, stored: Stored, content: CompiledMessage, values: Values) => {
  const domain = domainOf(row.message_id);
  const mailboxes = (field: "cc" | "replyTo") => {
    const address = fill(content[field], values);
    return address === "" || (field === "cc" && row.preview === 1) ? [] : [{ address }];
  };
  const header = shownHeader({
    ...(row.class === "marketing"
      ? { class: "marketing", listId: `${stored.list ?? readTeam(sql).slug}.${domain}`, unsubscribeUrl: PERSONAL }
      : { class: "transactional" }),
    id: row.id,
    team: "",
    messageId: row.message_id,
    date: stored.dated_at ?? row.created_at,
    from: { name: fill(content.fromName, values), address: senderOf(content, values, domain) },
    to: [{ address: row.recipient }],
    cc: mailboxes("cc"),
    bcc: [],
    replyTo: mailboxes("replyTo"),
    subject: fill(content.subject, values),
    html: "",
    text: "",
    attachments: [],
  });
  return stored.dated_at === null ? { ...header, Date: `not sent yet; accepted ${isoOf(row.created_at)}` } : header;
};
