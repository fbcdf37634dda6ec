import type { Refusal } from "../../../lib/contract/errors.ts";
import { pageOf } from "../../../lib/contract/pagination.ts";
import { missing, type Values } from "../../lmx/fill.ts";
import type { Handlers } from "../base/handler.ts";
import { contactByEmail } from "../contacts/row.ts";
import { create } from "../contacts/upsert.ts";
import { readRevision } from "../content/messages.ts";
import { dataVariablesOf, publishedRevision, templatesWith } from "../content/templates.ts";
import { isAddress, notAnAddress, senderOf } from "./compose.ts";
import { acceptSend } from "./sends.ts";

/** Most characters of all values of one mail: a row may have 2 MB, and a value may fill several slots. */
const MAX_VALUES = 256_000;

export const transactional: Handlers<"transactional"> = {
  /** Accepts a mail for one address. Its row is written before the answer; the mail leaves after it. */
  send(context, input) {
    const { sql } = context;
    const { transactionalId } = input;
    const refuse = (code: Refusal["code"], path: string, message: string) => ({
      refusal: { code, path, message, detail: { transactionalId } },
    });
    if (input.attachments?.length) {
      const message = "Attachments are not enabled for this team. Send the mail without them.";
      return refuse("attachments_not_enabled", "attachments", message);
    }
    const revision = publishedRevision(sql, transactionalId);
    if (revision === undefined) {
      const message = `There is no transactional email with the id "${transactionalId}". GET /v1/transactional lists those that can be sent.`;
      return refuse("transactional_not_found", "transactionalId", message);
    }
    if (revision === null) {
      const message = `The transactional email "${transactionalId}" is not published. Publish it, then send again.`;
      return refuse("template_not_published", "transactionalId", message);
    }
    const template = readRevision(sql, revision);
    const { variables, fallbacks = {} } = template;
    const given = new Map(Object.entries(input.dataVariables ?? {}).map(([name, value]) => [`data.${name}`, value]));
    const used = variables.flatMap((name) => {
      const value = given.get(name) ?? fallbacks[name];
      return value == null ? [] : [[name, value] as const];
    });
    const list = used.find(([, value]) => typeof value === "object");
    if (list) {
      const path = `dataVariables.${list[0].slice("data.".length)}`;
      return refuse("invalid_request", path, `${path}: must be a string, a number or a boolean`);
    }
    const values = Object.fromEntries(used) as Values;
    const lacking = missing(variables, values).map((name) => name.slice("data.".length));
    if (lacking.length > 0) {
      const message = `Missing from dataVariables: ${lacking.join(", ")}. Names are case-sensitive.`;
      return refuse("missing_data_variables", "dataVariables", message);
    }
    if (JSON.stringify(values).length > MAX_VALUES) {
      return refuse("invalid_request", "dataVariables", `dataVariables: more than ${MAX_VALUES} characters in total.`);
    }
    const from = senderOf(template, values, context.domain);
    if (!isAddress(from)) return refuse("invalid_request", "dataVariables", `dataVariables: ${notAnAddress(from)}`);
    // An existing contact stays as it is: a send never subscribes it again.
    if (input.addToAudience && !contactByEmail(sql, input.email)) {
      create(context, { email: input.email }, { standard: {}, custom: [], lists: [] });
    }
    return { body: { success: true, id: acceptSend(context, { revision, recipient: input.email, values }) } };
  },

  /** Published transactional emails, newest first. */
  list({ sql, origin }, input) {
    const { total, rows } = templatesWith(sql, "published");
    return pageOf(`${origin}/v1/transactional`, input, total, rows, (row) => ({
      id: row.id,
      name: row.name,
      lastUpdated: new Date(row.updated_at).toISOString(),
      dataVariables: dataVariablesOf(row),
    }));
  },
};
