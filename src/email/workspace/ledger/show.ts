import type { Refusal } from "../../../lib/contract/errors.ts";
import { isoOf } from "../../../lib/util/dates.ts";
import { domainOf } from "../../mailer/compose.ts";
import type { AdminInput } from "../../types/workspace.ts";
import { type Context, wake } from "../base/context.ts";
import { revisionId } from "../content/messages.ts";
import { relayProblem } from "../limits/handlers.ts";
import { findSend } from "../sending/sends.ts";
import { tell } from "../sending/story.ts";
import { suppressionOf } from "../sending/suppression.ts";
import { readSend, type SendRow, shown } from "./shown.ts";
import { operationOf, storyOf } from "./story.ts";

type Answer = { body: unknown } | { refusal: Refusal };

/** Everything that happened to one send. */
export const showSend = (context: Context, { sendId }: AdminInput<"sends.get">): Answer => {
  const row = findRow(context.sql, sendId);
  return row ? { body: whole(context, row) } : notFound(sendId);
};

/** Queues a mail again when a person asks for it. It keeps its Message-ID. */
export const retrySend = (context: Context, { sendId }: AdminInput<"sends.retry">): Answer => {
  const { sql, now } = context;
  const row = findRow(sql, sendId);
  if (!row) return notFound(sendId);
  const whyNot = whyNotRetried(sql, row);
  if (whyNot !== undefined) {
    return { refusal: { code: "send_not_retryable", path: "sendId", message: `It is not sent again. ${whyNot}` } };
  }
  sql.exec("UPDATE sends SET state = 'queued', due = ?, settled_at = NULL WHERE n = ?", now, row.n);
  tell(context, row.n, { kind: "retried", detail: { state: row.state } });
  wake(context, now);
  return { body: whole(context, readSend(sql, row.n)) };
};

const findRow = (sql: SqlStorage, id: string): SendRow | undefined => {
  // What is no id is in no row. A look for it would read the whole table.
  const n = /^snd_[0-9a-z_]+$/.test(id) ? findSend(sql, id) : undefined;
  return n === undefined ? undefined : readSend(sql, n);
};

const notFound = (id: string): { refusal: Refusal } => {
  const message = `There is no send with the id "${id}" in this team. Settled sends are kept for 30 days. GET /admin/teams/{team}/sends?to=… finds those to an address.`;
  return { refusal: { code: "send_not_found", path: "sendId", message } };
};

const WHY_NOT: Readonly<Record<string, string>> = {
  queued: "It waits, and is sent by itself.",
  sending: "An attempt is in flight.",
  sent: "It was sent already.",
  delivered: "It was delivered already.",
  complained: "The recipient reported it as spam.",
  bounced: "It bounced, because of the address.",
  not_sent: "Its values were erased when it was settled. Send a new mail.",
};

/** Why a person cannot have a mail sent again; undefined when it is possible. */
const whyNotRetried = (sql: SqlStorage, row: SendRow): string | undefined => {
  if (row.state !== "unknown" && row.state !== "failed") return WHY_NOT[row.state];
  if (row.has_values === 0)
    return "Its values are erased: those of a failed mail at once, those of an unknown one a day after it was accepted. Send a new mail.";
  return suppressionOf(sql, row.recipient_key) ? "The address is suppressed. Remove the suppression first." : undefined;
};

const whole = ({ sql, now }: Pick<Context, "sql" | "now">, row: SendRow) => {
  const problem = row.state === "queued" ? relayProblem(sql, now, row.class, domainOf(row.message_id)) : undefined;
  const whyNot = whyNotRetried(sql, row) ?? null;
  const suppression = suppressionOf(sql, row.recipient_key);
  return {
    ...shown(row, problem),
    messageId: row.message_id,
    operation: operationOf(row),
    emailMessageId: row.message,
    contentRevisionId: revisionId(row.content ?? row.revision),
    sender: row.sender,
    reply: row.reply,
    suppressed: suppression
      ? { since: isoOf(suppression.at), reason: suppression.reason, meaning: REASONS[suppression.reason] ?? "" }
      : null,
    canRetry: whyNot === null,
    whyNot,
    story: storyOf(sql, row),
  };
};

const REASONS: Readonly<Record<string, string>> = {
  bounce: "A mail to this address bounced.",
  complaint: "The recipient reported a mail as spam.",
  manual: "A person suppressed the address.",
};
