import type { Refusal } from "../../../lib/contract/errors.ts";
import { pageOf } from "../../../lib/contract/pagination.ts";
import { isoOf } from "../../../lib/util/dates.ts";
import { contactByEmail } from "../contacts/contact-rows.ts";
import { createContact, newContact } from "../contacts/upsert.ts";
import { readRevision } from "../content/messages.ts";
import { dataVariablesOf, publishedRevision, templatesWith } from "../content/templates.ts";
import type { Handlers } from "../core/handler.ts";
import { attachmentsFull, isFull } from "../core/size.ts";
import { sendingDomainOf } from "../domains/sending-domain.ts";
import { readTeam } from "../team/team.ts";
import { decodeAttachments } from "./attachments.ts";
import { keepValues } from "./kept-values.ts";
import { acceptSend } from "./sends.ts";
import { resolveValues } from "./variables.ts";

export const transactional: Handlers<"transactional"> = {
  /** The row is written before the answer; the mail leaves later. */
  send(context, input) {
    const { sql } = context;
    const { transactionalId } = input;
    const refuse = (code: Refusal["code"], path: string, message: string) => ({
      refusal: { code, path, message, detail: { transactionalId } },
    });
    if (input.attachments?.length && !readTeam(sql).attachments) {
      const message =
        "Attachments are not enabled for this team. Send the mail without them, or ask the operator of the email service to enable them.";
      return refuse("attachments_not_enabled", "attachments", message);
    }
    const published = publishedRevision(sql, transactionalId);
    if (published === undefined) {
      const message = `There is no transactional email with the id "${transactionalId}". GET /v1/transactional lists those that can be sent.`;
      return refuse("transactional_not_found", "transactionalId", message);
    }
    const { revision, keepDays } = published;
    if (revision === null) {
      const message = `The transactional email "${transactionalId}" is not published. Publish it, then send again.`;
      return refuse("template_not_published", "transactionalId", message);
    }
    const from = sendingDomainOf(context, "transactional");
    if ("refusal" in from) return { refusal: { ...from.refusal, detail: { ...from.refusal.detail, transactionalId } } };
    const resolved = resolveValues(readRevision(sql, revision), { dataVariables: input.dataVariables }, from.domain);
    if ("refusal" in resolved) return { refusal: { ...resolved.refusal, detail: { transactionalId } } };
    const decoded = decodeAttachments(input.attachments ?? []);
    if ("fault" in decoded) return refuse("invalid_attachment", decoded.fault.path, decoded.fault.message);
    const noRoom = attachmentsFull(context, decoded.attachments);
    if (noRoom) return { refusal: { ...noRoom, detail: { transactionalId } } };
    // A send never subscribes an existing contact again. A full team sends the mail without a new contact.
    if (input.addToAudience && !isFull(context) && !contactByEmail(sql, input.email)) {
      createContact(context, newContact({ email: input.email }, { standard: {}, custom: [], lists: [] }));
    }
    const { attachments } = decoded;
    const mail = { revision, recipient: input.email, values: resolved.values, domain: from.domain, attachments };
    const { n, id, state } = acceptSend(context, mail);
    if (keepDays > 0 && state === "queued") keepValues(context, n, resolved.values, keepDays);
    return { body: { success: true, id } };
  },

  list({ sql, origin }, input) {
    const { total, rows } = templatesWith(sql, "published");
    return pageOf(`${origin}/v1/transactional`, input, total, rows, (row) => ({
      id: row.id,
      name: row.name,
      lastUpdated: isoOf(row.updated_at),
      dataVariables: dataVariablesOf(row),
    }));
  },
};
