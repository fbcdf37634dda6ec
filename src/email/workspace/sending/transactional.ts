import type { Refusal } from "../../../lib/contract/errors.ts";
import { pageOf } from "../../../lib/contract/pagination.ts";
import { missing } from "../../lmx/fill.ts";
import { contactByEmail } from "../contacts/row.ts";
import { create } from "../contacts/upsert.ts";
import { readRevision } from "../content/templates.ts";
import type { Handler } from "../runtime/operations.ts";
import { acceptSend, type Values } from "./sends.ts";

/** Most characters the values of one mail may have together: a row holds 2 MB, and a value may fill several slots. */
const MAX_VALUES = 256_000;

/** Accepts a mail for one address: it is a row when this returns, and leaves after the answer. */
export const sendTransactional: Handler<"transactional.send"> = (context, input) => {
  const { transactionalId } = input;
  const refuse = (code: Refusal["code"], path: string, message: string) => ({
    refusal: { code, path, message, detail: { transactionalId } },
  });
  if (input.attachments?.length) {
    const message = "Attachments are not enabled for this team. Send the mail without them.";
    return refuse("attachments_not_enabled", "attachments", message);
  }
  const template = context.sql
    .exec<{ published: number | null }>("SELECT published FROM templates WHERE id = ?", transactionalId)
    .toArray()[0];
  if (!template) {
    const message = `There is no transactional email with the id "${transactionalId}". GET /v1/transactional has those that can be sent.`;
    return refuse("transactional_not_found", "transactionalId", message);
  }
  if (template.published === null) {
    const message = `The transactional email "${transactionalId}" is not published. Publish it, then send again.`;
    return refuse("template_not_published", "transactionalId", message);
  }
  const { variables } = readRevision(context.sql, template.published);
  const given = new Map(Object.entries(input.dataVariables ?? {}).map(([name, value]) => [`data.${name}`, value]));
  const used = variables.flatMap((name) => {
    const value = given.get(name);
    return value == null ? [] : [[name, value] as const];
  });
  const list = used.find(([, value]) => typeof value === "object");
  if (list) {
    const path = `dataVariables.${list[0].slice("data.".length)}`;
    return refuse("invalid_request", path, `${path} must be a string, a number or a boolean.`);
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
  // Never re-subscribes: a contact that exists stays as it is.
  if (input.addToAudience && !contactByEmail(context.sql, input.email)) {
    create(context, { email: input.email }, { standard: {}, custom: [], lists: [] });
  }
  const id = acceptSend(context, { revision: template.published, recipient: input.email, values });
  return { body: { success: true, id } };
};

type Published = { n: number; id: string; name: string; updated_at: number; variables: string };

/** Published transactional emails, newest first. */
export const listTransactional: Handler<"transactional.list"> = ({ sql }, input) => {
  const { total } = sql
    .exec<{ total: number }>("SELECT count(*) AS total FROM templates WHERE published IS NOT NULL")
    .one();
  const rows = (before: number, count: number) =>
    sql
      .exec<Published>(
        `SELECT t.n, t.id, t.name, t.updated_at, json_extract(r.compiled, '$.variables') AS variables
         FROM templates t JOIN template_revisions r ON r.n = t.published
         WHERE t.n < ? ORDER BY t.n DESC LIMIT ?`,
        ...[before, count],
      )
      .toArray();
  return pageOf("/v1/transactional", input, total, rows, ({ id, name, updated_at, variables }) => ({
    id,
    name,
    lastUpdated: new Date(updated_at).toISOString(),
    dataVariables: (JSON.parse(variables) as string[]).map((variable) => variable.slice("data.".length)),
  }));
};
