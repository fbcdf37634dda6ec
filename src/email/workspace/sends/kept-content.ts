import type { AdminContract } from "../../../lib/contract/admin/email.ts";
import type { Refusal } from "../../../lib/contract/errors.ts";
import type { Response } from "../../../lib/contract/operation.ts";
import { DAY_MS } from "../../../lib/util/dates.ts";
import type { AdminInput } from "../../types/workspace-rpc.ts";
import { readRevision } from "../content/messages.ts";
import { findTemplate, publishedRevision, templateNotFound } from "../content/templates.ts";
import type { Context } from "../core/context.ts";
import { oneTimeIn } from "../sending/one-time.ts";

type Kept = { body: Response<AdminContract["transactionalEmails"]["kept"]> } | { refusal: Refusal };

/** Says for how many days the values of a transactional email are kept, and which variables keep that from being. */
export const showKept = ({ sql }: Pick<Context, "sql">, { transactionalId }: { transactionalId: string }): Kept => {
  if (!findTemplate(sql, transactionalId)) return templateNotFound(transactionalId);
  const published = publishedRevision(sql, transactionalId);
  const oneTime = published?.revision ? oneTimeIn(readRevision(sql, published.revision)?.variables ?? []) : [];
  return { body: { id: transactionalId, keepDays: published?.keepDays ?? 0, oneTimeVariables: oneTime } };
};

/** Changes the number of days for which values are kept. Fewer days apply to values that are kept already, too. */
export const changeKept = (context: Context, input: AdminInput<"transactionalEmails.keep">): Kept => {
  const { sql, now } = context;
  const { transactionalId, keepDays } = input;
  const shown = showKept(context, input);
  if ("refusal" in shown) return shown;
  const { oneTimeVariables } = shown.body;
  if (keepDays > 0 && oneTimeVariables.length > 0) {
    const message = `keepDays: the mail has ${oneTimeVariables.join(", ")}, which may let a person in, or work once. The values of such mail are never kept: use 0.`;
    return { refusal: { code: "one_time_mail", path: "keepDays", message } };
  }
  sql.exec("UPDATE templates SET keep_days = ? WHERE id = ?", keepDays, transactionalId);
  sql.exec(
    `UPDATE kept_values SET until = min(until, ? + (SELECT created_at FROM sends WHERE n = send))
     WHERE send IN (SELECT s.n FROM kept_values k JOIN sends s ON s.n = k.send JOIN message_revisions r ON r.n = s.revision
       JOIN email_messages m ON m.n = r.message JOIN templates t ON t.n = m.template WHERE t.id = ?) AND until > ?`,
    keepDays * DAY_MS,
    transactionalId,
    now,
  );
  return showKept(context, input);
};
