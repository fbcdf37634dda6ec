import type { MailEventType } from "../../../../lib/contract/outgoing-events.ts";
import { ERASED } from "../../../../lib/names/finder.ts";
import { emailKey } from "../../../../lib/util/email-key.ts";
import { isOfMailbox } from "../../../mail/bounces/classify.ts";
import type { CompiledMessage } from "../../../types/compiled-message.ts";
import type { Feedback, SendFeedback, Via } from "../../../types/feedback.ts";
import { contactByEmail, contactInRow } from "../../contacts/contact-rows.ts";
import { changeWithoutConfirmation } from "../../contacts/upsert.ts";
import { ensureRow } from "../../core/mailer-claims.ts";
import { COUNTED_MESSAGE, withCounts } from "../answer-counts.ts";
import { createCopiesOf } from "../copies.ts";
import { reportMail, reportSent } from "../report-mail-events.ts";
import { eventsOf, MAX_EVENTS, noteEvents } from "../send-events.ts";
import { suppress } from "../suppression.ts";
import { softBounced } from "./failure.ts";
import { bounced } from "./hard-refusals.ts";
import { reported } from "./refused-campaign-mail.ts";
import { endSoftBounces } from "./soft-bounces.ts";

type Clock = { sql: SqlStorage; now: number; contentOf(revision: number): CompiledMessage | undefined };

type State = "sent" | "delivered" | "failed" | "bounced" | "complained";

/** A state only moves up. An unsent mail has no feedback. */
const RANKS: Readonly<Record<string, number>> = {
  queued: 0,
  sending: 0,
  unknown: 0,
  sent: 1,
  delivered: 2,
  failed: 3,
  bounced: 4,
  complained: 5,
};

const STATES: Readonly<Record<Feedback["kind"], State>> = {
  delivered: "delivered",
  delayed: "sent",
  answer: "sent",
  complaint: "complained",
  // Same as a refused attempt: only a nonexistent address is bounced.
  hard: "bounced",
  soft: "failed",
  content: "failed",
  policy: "failed",
};

const EVENTS: Readonly<Record<Feedback["kind"], string>> = {
  delivered: "delivered",
  delayed: "delayed",
  answer: "answered",
  complaint: "complained",
  hard: "bounced",
  soft: "soft_bounced",
  content: "bounced",
  policy: "bounced",
};

const REPORTED: Readonly<Record<Feedback["kind"], MailEventType | undefined>> = {
  delivered: "email.delivered",
  delayed: undefined,
  answer: undefined,
  complaint: "email.spamReported",
  hard: "email.hardBounced",
  soft: "email.softBounced",
  content: "email.softBounced",
  policy: "email.softBounced",
};

type Row = {
  n: number;
  state: string;
  attempts: number;
  recipient: string;
  origin: string | null;
  revision: number;
  created_at: number;
  settled_at: number | null;
  contact: number | null;
  /** n, of marketing mail that counts. */
  message: number | null;
};

/**
 * Records feedback: state, event, and suppression or unsubscribe. Repeats change nothing.
 *
 * @returns false if the mail is unknown or its person was erased
 */
export const applyFeedback = (clock: Clock, via: Via, { n, feedback }: SendFeedback): boolean => {
  ensureRow(clock.sql, n);
  const read = () =>
    clock.sql
      .exec<Row>(
        `SELECT n, state, attempts, recipient, origin, revision, created_at, settled_at, contact, ${COUNTED_MESSAGE} AS message
         FROM sends WHERE n = ?`,
        n,
      )
      .toArray()[0];
  const first = read();
  if (!first || first.recipient === ERASED || first.attempts === 0) return false;
  for (const one of feedback) {
    const row = read();
    if (row) applyOne(clock, row, via, one);
  }
  return true;
};

const applyOne = (clock: Clock, row: Row, via: Via, feedback: Feedback): void => {
  const copy = copyOf(clock, row, feedback.recipient);
  // The mail provider's clock may be behind: no report predates the handover.
  const at = Math.min(clock.now, Math.max(row.settled_at ?? row.created_at, feedback.at ?? clock.now));
  const { kind, code, replyCode, message } = feedback;
  const detail = {
    ...(copy ? { to: copy.address } : {}),
    ...(["hard", "soft", "content", "policy"].includes(kind) ? { type: kind } : {}),
    via,
    ...(code ? { code } : {}),
    ...(replyCode ? { replyCode } : {}),
    message: message.slice(0, 500),
  };
  const event = { kind: `${copy ? "copy_" : ""}${EVENTS[kind]}`, detail };
  if (!addToStory(clock.sql, row.n, at, event)) return;
  if (!copy) applyToMain(clock, row, feedback);
  else if (copy.isFixed && via !== "mail" && kind === "hard") suppress(clock, copy.address, "bounce");
  else if (copy.isFixed && via !== "mail" && kind === "complaint") suppress(clock, copy.address, "complaint");
};

const addToStory = (sql: SqlStorage, n: number, at: number, event: Parameters<typeof noteEvents>[2]): boolean => {
  const known = eventsOf(sql, n);
  const same = known.filter(({ kind }) => kind === event.kind);
  const words = JSON.stringify(event.detail);
  if (known.length >= MAX_EVENTS || same.some(({ detail }) => detail === words)) return false;
  let free = at;
  while (same.some((one) => one.at === free)) free += 1;
  noteEvents({ sql, now: free }, n, event);
  return true;
};

/**
 * Undefined for the main recipient. Other addresses may be forwards. `isFixed`: the message names the copy address.
 * Only a signed webhook suppresses it, because any recipient could forge a bounce mail.
 */
const copyOf = (
  { contentOf }: Clock,
  { recipient, revision }: Row,
  address: string | undefined,
): { address: string; isFixed: boolean } | undefined => {
  if (address === undefined || emailKey(address) === emailKey(recipient)) return undefined;
  const content = contentOf(revision);
  if (!content || (content.cc.length === 0 && content.bcc.length === 0)) return undefined;
  const fixed = createCopiesOf(() => content)(revision, "{}");
  return { address, isFixed: fixed.some((one) => emailKey(one) === emailKey(address)) };
};

const applyToMain = (clock: Clock, row: Row, feedback: Feedback): void => {
  const isMoved = moveUp(clock, row, feedback);
  // A mail that bounced before has its address suppressed, or waits for a person's decision.
  const isHard =
    isMoved && feedback.kind === "hard" && bounced(clock, { ...row, words: wordsOf(feedback), isReport: true });
  if (isMoved) reportFeedback(clock, row, feedback.kind === "hard" && !isHard ? "soft" : feedback.kind);
  switch (feedback.kind) {
    case "complaint":
      suppress(clock, row.recipient, "complaint");
      unsubscribe(clock, row);
      return;
    case "soft":
      // Only a reason of the mailbox counts.
      if (isMoved && isOfMailbox(feedback, feedback.message)) softBounced(clock, row);
      return;
    case "policy":
      if (isMoved) reported(clock.sql, { ...row, words: wordsOf(feedback), leftAt: row.settled_at ?? clock.now });
      return;
    case "delivered":
      if (isMoved) endSoftBounces(clock.sql, row.recipient);
      return;
    default:
      return;
  }
};

/** `delayed` and `answer` are no events, but prove that the mail provider had the mail. */
const reportFeedback = (clock: Clock, { n, state }: Row, kind: Feedback["kind"]): void => {
  const type = REPORTED[kind];
  // In other states the attempt already reported it.
  if (RANKS[state] === 0) reportSent(clock, n);
  if (type) reportMail(clock, type, n);
};

/** Feedback settles any mail. `settled_at` stays the time of the handover. */
const moveUp = ({ sql, now }: Clock, { n, state, message }: Row, feedback: Feedback): boolean => {
  const next = STATES[feedback.kind];
  if ((RANKS[state] ?? Number.POSITIVE_INFINITY) >= (RANKS[next] ?? 0)) return false;
  // The trigger leaves this change to the results of an answer, which find the mail settled.
  if (state === "sending" && next === "sent")
    withCounts({ sql, now }, ({ counts }) => counts.add(message, "sends", "settled"));
  const isArrived = next === "sent" || next === "delivered";
  sql.exec(
    "UPDATE sends SET state = ?, due = NULL, variables = NULL, error = ?, settled_at = coalesce(settled_at, ?) WHERE n = ?",
    next,
    isArrived ? null : wordsOf(feedback),
    now,
    n,
  );
  return true;
};

const wordsOf = ({ code, message }: Feedback): string =>
  (code === undefined || message.includes(code) ? message : `${code} ${message}`).trim().slice(0, 500);

/** Unsubscribes the contact, even with a new address. Transactional mail only has an address. */
const unsubscribe = (clock: Clock, { contact: n, recipient }: Row): void => {
  const named = n === null ? undefined : contactInRow(clock.sql, n);
  const contact = named ?? contactByEmail(clock.sql, recipient);
  if (contact) changeWithoutConfirmation(clock, contact, { ...contact, data: { ...contact.data, subscribed: false } });
};
