import { beforeOf, cursorAfter, DEFAULT_PER_PAGE } from "../../../lib/contract/pagination.ts";
import { isoOf } from "../../../lib/util/dates.ts";
import { emailKey } from "../../../lib/util/email-key.ts";
import type { AdminInput } from "../../types/workspace-rpc.ts";
import { contactsByNumber, type StoredContact } from "../contacts/contact-rows.ts";
import { CONFIRMATION_TEMPLATE } from "../content/samples.ts";
import type { Context } from "../core/context.ts";
import type { AdminHandlers } from "../core/handler.ts";
import { CONFIRMATION_MAILS, sendConfirmation } from "./confirmation.ts";

export const SLICE = 20_000;

/** Lists unconfirmed contacts, newest first, with their newest confirmation mail. */
const listPending = ({ sql }: Pick<Context, "sql">, { cursor, perPage = DEFAULT_PER_PAGE }: Input) => {
  const before = beforeOf(cursor);
  if (typeof before !== "number") return before;
  const end = sql
    .exec<{ n: number }>("SELECT n FROM contacts WHERE n < ? ORDER BY n DESC LIMIT 1 OFFSET ?", before, SLICE)
    .toArray()[0]?.n;
  const found = sql
    .exec<{ n: number }>(
      "SELECT n FROM contacts WHERE n < ? AND n > ? AND data ->> '$.optInStatus' = 'pending' ORDER BY n DESC LIMIT ?",
      before,
      end ?? -1,
      perPage + 1,
    )
    .toArray()
    .map(({ n }) => n);
  const shown = found.slice(0, perPage);
  const last = found.length > perPage ? shown.at(-1) : end === undefined ? undefined : end + 1;
  const data = contactsByNumber(sql, shown)
    .reverse()
    .map((contact) => itemOf(sql, contact));
  return { body: { data, next: last === undefined ? null : cursorAfter(last) } };
};

type Input = AdminInput<"confirmations.list">;

const itemOf = (sql: SqlStorage, { id, email, userId, createdAt, updatedAt }: StoredContact) => {
  const [mail] = sql
    .exec<{ id: string; state: string; at: number }>(
      `SELECT s.id, s.state, s.created_at AS at ${CONFIRMATION_MAILS} ORDER BY s.n DESC LIMIT 1`,
      emailKey(email ?? ""),
      CONFIRMATION_TEMPLATE,
    )
    .toArray();
  const asked = mail ? { sendId: mail.id, state: mail.state, at: isoOf(mail.at) } : null;
  return { id, email, userId, createdAt: isoOf(createdAt), updatedAt: isoOf(updatedAt), asked };
};

export const confirmations: AdminHandlers<"confirmations"> = { list: listPending, send: sendConfirmation };
