import type { Refusal } from "../../../lib/contract/errors.ts";
import { isoOf, isoOrNull } from "../../../lib/util/dates.ts";
import { domainOf } from "../../delivery/mailer/compose-mail.ts";
import { mailboxRuleIn } from "../../policy/refusals/mailbox-rules.ts";
import type { AdminInput } from "../../types/workspace-rpc.ts";
import { revisionId } from "../content/messages.ts";
import { type Context, wake } from "../core/context.ts";
import { waitForRows } from "../core/day-rows-words.ts";
import type { AdminHandlers } from "../core/handler.ts";
import { whyItWaits } from "../limits/handlers.ts";
import { reasonAgainst } from "../sending/gate.ts";
import { noteEvents } from "../sending/send-events.ts";
import { meaningOfSuppression, suppressionOf } from "../sending/suppression.ts";
import { createOrigins } from "../sending/waiting-mails.ts";
import { waveOfMail } from "../waves/wave-rows.ts";
import { decisionInWords, waveInWords } from "../waves/wave-words.ts";
import { answersIn, causeOf } from "./cause.ts";
import { showContent } from "./content.ts";
import { findRow, sendNotFound } from "./find-send.ts";
import { searchSends } from "./search.ts";
import { operationOf, storyOf } from "./send-history.ts";
import { readSend, type SendRow } from "./send-rows.ts";
import { moreOf, shown } from "./shown-send.ts";

type Answer = { body: unknown } | { refusal: Refusal };

const showSend = (context: Context, { sendId }: AdminInput<"sends.get">): Answer => {
  const row = findRow(context.sql, sendId);
  return row ? { body: whole(context, row) } : sendNotFound(sendId);
};

/** Queues a mail again with its Message-ID. `goOn` makes the campaign send until the mail has a result. */
export const retrySend = (
  context: Context,
  { sendId }: AdminInput<"sends.retry">,
  goOn: (context: Context, campaign: string) => void,
): Answer => {
  const { sql, now } = context;
  const row = findRow(sql, sendId);
  if (!row) return sendNotFound(sendId);
  const whyNot = whyNotRetried(sql, row);
  if (whyNot !== undefined) {
    return { refusal: { code: "send_not_retryable", path: "sendId", message: `It is not sent again. ${whyNot}` } };
  }
  if (row.origin !== null && row.preview === 0) goOn(context, row.origin);
  sql.exec("UPDATE sends SET state = 'queued', due = ?, settled_at = NULL WHERE n = ?", now, row.n);
  noteEvents(context, row.n, { kind: "retried", detail: { state: row.state } });
  wake(context, now);
  return { body: whole(context, readSend(sql, row.n)) };
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

const whyNotRetried = (sql: SqlStorage, row: SendRow): string | undefined => {
  if (row.state !== "unknown" && row.state !== "failed") return WHY_NOT[row.state];
  if (row.has_values === 0)
    return "Its values are erased: those of a failed mail at once, those of an unknown one a day after it was accepted. Send a new mail.";
  if (suppressionOf(sql, row.recipient_key)) return "The address is suppressed. Remove the suppression first.";
  return row.class === "marketing" && row.preview === 0 ? whyNotMarketed(sql, row) : undefined;
};

const WHY_NOT_MARKETED: Readonly<Record<string, string>> = {
  cancelled: "Its campaign was cancelled.",
  deleted: "Its workflow was deleted.",
  contact_deleted: "The contact was deleted.",
  no_email: "The contact has no address.",
  unsubscribed: "The person has unsubscribed.",
  not_confirmed: "The person has not confirmed the subscription.",
  not_on_list: "The contact is not on the mailing list any more.",
  suppressed: "The address of the contact is suppressed. Remove the suppression first.",
};

/** The marketing mail would end before its attempt, so a retry would change nothing. */
const whyNotMarketed = (sql: SqlStorage, { n, origin }: SendRow): string | undefined => {
  const state = origin === null ? "sending" : createOrigins(sql)(origin);
  const reason = WHY_NOT_MARKETED[state] === undefined ? reasonAgainst(sql, n) : state;
  return reason === undefined ? undefined : (WHY_NOT_MARKETED[reason] ?? `The contact may not get it: ${reason}.`);
};

const waitsForRows = (
  context: Pick<Context, "now" | "dayRows">,
  queued: { class: string; due: number | null },
): string | undefined =>
  queued.class === "marketing" && (queued.due ?? Number.POSITIVE_INFINITY) <= context.now
    ? waitForRows(context, "workflows")[0]?.message
    : undefined;

const whole = (context: Pick<Context, "sql" | "now" | "dayRows">, row: SendRow) => {
  const { sql, now } = context;
  const queued = { class: row.class, domain: domainOf(row.message_id), due: row.due };
  const problem = row.state === "queued" ? (whyItWaits(sql, now, queued) ?? waitsForRows(context, queued)) : undefined;
  const whyNot = whyNotRetried(sql, row) ?? null;
  const suppression = suppressionOf(sql, row.recipient_key);
  const story = storyOf(sql, row);
  const mail = shown(row, problem);
  const wave = row.state === "bounced" ? waveOfMail(sql, row.n) : undefined;
  return {
    ...mail,
    ...moreOf(sql, [row])(row),
    ...(wave ? { meaning: `${mail.meaning} ${decisionInWords(wave) ?? waveInWords(wave)}` } : {}),
    messageId: row.message_id,
    operation: operationOf(row),
    emailMessageId: row.message,
    contentRevisionId: revisionId(row.content ?? row.revision),
    revisedAt: isoOrNull(row.revision_at),
    isNewestRevision: row.is_newest === 1,
    cause: causeOf(row),
    rule: (row.error === null ? undefined : mailboxRuleIn(row.error)) ?? null,
    sender: row.sender,
    reply: row.reply,
    suppressed: suppression
      ? { since: isoOf(suppression.at), reason: suppression.reason, meaning: meaningOfSuppression(suppression.reason) }
      : null,
    canRetry: whyNot === null,
    whyNot,
    answers: answersIn(story, row),
    story,
  };
};

export const sends: Omit<AdminHandlers<"sends">, "retry"> = { list: searchSends, get: showSend, content: showContent };
