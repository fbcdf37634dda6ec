import { HOUR_MS } from "../../../lib/util/dates.ts";
import { log } from "../../../lib/util/log.ts";
import type { MailClass } from "../../types/mail-handover.ts";
import type { Claim, ClaimedSend, SendResult } from "../../types/mailer-rpc.ts";
import { addSent, type CampaignMail, messageIdOf } from "../core/mailer-claims.ts";
import { type AnswerCounts, COUNTED_MESSAGE, withCounts } from "./answer-counts.ts";
import { type Checked, createGate, footerOfPreview, type Passed } from "./gate.ts";
import { reportSent } from "./report-mail-events.ts";
import { finish, settleFailure } from "./results/failure.ts";
import { noteEvents, withEvent } from "./send-events.ts";
import { reasonNotToSend } from "./suppression.ts";
import {
  createOrigins,
  dueMails,
  ENDED,
  endIfOver,
  endWaiting,
  holdMail,
  MAX_REPLY,
  type Sieve,
  type Waiting,
  withinLimits,
} from "./waiting-mails.ts";

/** Exchange finds duplicates by Message-ID and Date. Filters distrust an older Date. */
const DATE_MS = HOUR_MS;
const DATED = "dated_at = iif(dated_at > ?, dated_at, ?)";
const HELD = 1_000;
const SEARCHES = 5;

type Clock = { sql: SqlStorage; now: number };

/** `counts`: of an answer of a Mailer, which are written together. */
type Counting = Clock & { counts?: AnswerCounts | undefined };
type Counted = Clock & { counts: AnswerCounts };

type ClaimedRow = {
  n: number;
  id: string;
  attempts: number;
  revision: number;
  recipient: string;
  message_id: string;
  variables: string;
  dated_at: number;
  due: number;
  preview: number;
  attachments: number;
};

/** `waited`: message (n) of a campaign mail that waited after an attempt. */
type NewlyClaimed = ClaimedRow & { waited: number | null };

const COLUMNS = "n, id, attempts, revision, recipient, message_id, variables, dated_at, due, preview, attachments";

/**
 * `areFew`: send limits exist, so campaign mail comes last. `fullUntil`: Unix ms of the last
 * full limit.
 */
export type Wanted = {
  mailClass: MailClass;
  mailer: string;
  limit: number;
  copiesOf(revision: number, values: string): readonly string[];
  sieve?: Sieve | undefined;
  areFew?: boolean;
  fullUntil?: number;
};

/** Claims due mails for one attempt each. `more`: other mail follows. `hasEnded`: some mail was settled. */
export const claimSends = (clock: Counting, wanted: Wanted): ReturnType<typeof claimDue> =>
  withCounts(clock, (counted) => claimDue(counted, wanted));

const claimDue = (clock: Counted, wanted: Wanted): { sends: ClaimedSend[]; more: boolean; hasEnded: boolean } => {
  const rows: ClaimedRow[] = [];
  const passed = new Map<number, Passed>();
  let more = false;
  let hasEnded = false;
  for (let search = 1; rows.length < wanted.limit && !more; search += 1) {
    const wants = wanted.limit - rows.length;
    const mails = dueMails(clock, wanted, wants);
    const { found, held } = mayBeSent(clock, wanted, mails);
    hasEnded ||= found.size < mails.length;
    for (const [n, what] of found) passed.set(n, what);
    rows.push(...claimRows(clock, wanted, withinLimits(clock.sql, wanted.sieve, [...found.keys()])));
    if (held) holdMail(clock.sql, clock.now, HELD);
    else if (mails.length < wants) break;
    more = held || (search === SEARCHES && rows.length < wanted.limit);
  }
  return {
    sends: rows.map((row) => claimedOf(clock.sql, wanted.copiesOf, row, passed.get(row.n))),
    more,
    hasEnded,
  };
};

/** Reads mails that were claimed when they were accepted. */
export const acceptedClaims = (
  sql: SqlStorage,
  numbers: readonly number[],
  copiesOf: Wanted["copiesOf"],
): { mailer: string; send: ClaimedSend }[] =>
  sql
    .exec<ClaimedRow & { mailer: string }>(
      `SELECT ${COLUMNS}, mailer FROM sends WHERE n IN (SELECT value FROM json_each(?)) AND state = 'sending'`,
      JSON.stringify(numbers),
    )
    .toArray()
    .map((row) => ({ mailer: row.mailer, send: claimedOf(sql, copiesOf, row) }));

const claimedOf = (
  sql: SqlStorage,
  copiesOf: Wanted["copiesOf"],
  row: ClaimedRow,
  passed: Passed = {},
): ClaimedSend => {
  const values = passed.values ?? row.variables;
  const footer = row.preview === 1 ? footerOfPreview(sql, row.revision) : undefined;
  return {
    n: row.n,
    attempt: row.attempts,
    id: row.id,
    revision: row.revision,
    recipient: row.recipient,
    messageId: row.message_id,
    values,
    date: row.dated_at,
    preview: row.preview === 1,
    attachments: row.attachments,
    withheld: copiesOf(row.revision, values).filter((address) => reasonNotToSend(sql, address) !== undefined),
    ...(passed.marketing ? { marketing: passed.marketing } : {}),
    ...(footer ? { footer } : {}),
  };
};

const SHIFTED = "may_leave_at = iif(due < ?, coalesce(may_leave_at, created_at) + ? - due, may_leave_at)";

const WAITED = `iif(run = 0 AND attempts > 1, ${COUNTED_MESSAGE}, NULL)`;

const claimRows = (
  { sql, now, counts }: Counted,
  { mailer, fullUntil = 0 }: Wanted,
  numbers: readonly number[],
): ClaimedRow[] => {
  if (numbers.length === 0) return [];
  // The index entry of `due` stays, to save a write.
  const claimed = sql
    .exec<NewlyClaimed>(
      `UPDATE sends SET state = 'sending', attempts = attempts + 1, counted_claim = attempts + 1, mailer = ?, ${DATED}, ${SHIFTED}
       WHERE n IN (SELECT value FROM json_each(?)) AND state = 'queued' RETURNING ${COLUMNS}, ${WAITED} AS waited`,
      mailer,
      now - DATE_MS,
      now,
      fullUntil,
      now,
      JSON.stringify(numbers),
    )
    .toArray();
  for (const { waited } of claimed) if (waited !== null) counts.waitsNoMore(waited);
  return claimed;
};

/** Returns all claims of rows with their Mailers, after a restart. */
export const openClaims = (sql: SqlStorage): (Claim & { mailer: string })[] =>
  sql
    .exec<Claim & { mailer: string }>(
      `SELECT mailer, n, attempts AS attempt FROM sends
       WHERE class IN ('transactional', 'marketing') AND due IS NOT NULL AND state = 'sending'`,
    )
    .toArray();

/** An address may have been suppressed during the wait. */
const mayBeSent = (
  clock: Clock,
  { mailClass }: Wanted,
  mails: readonly Waiting[],
): { found: Map<number, Passed>; held: boolean } => {
  const { sql } = clock;
  const check = mailClass === "marketing" && mails.length > 0 ? createGate(sql) : transactionalGate(sql);
  const stateOf = createOrigins(sql);
  const found = new Map<number, Passed>();
  let held = false;
  for (const { n, recipient, origin } of mails) {
    const state = origin === null ? "sending" : stateOf(origin);
    if (state === "held") held = true;
    else {
      const { reason, ...rest } = state === "sending" ? check(n, recipient) : { reason: ENDED[state] };
      if (reason === undefined) found.set(n, rest);
      else endWaiting(clock, n, reason);
    }
  }
  return { found, held };
};

const transactionalGate =
  (sql: SqlStorage) =>
  (_: number, recipient: string): Checked => ({ reason: reasonNotToSend(sql, recipient) });

type Settling = Counting & { random(): number };

type Heard = (mail: { recipient: string; messageId: string }) => number | undefined;

type SettledRow = {
  id: string;
  state: string;
  attempts: number;
  recipient: string;
  message_id: string;
  origin: string | null;
  created_at: number;
  started_at: number;
  due: number | null;
  history: string | null;
  run: number;
  message: number | null;
};

const newRow = ({ id, recipient, origin, message, at, ...mail }: CampaignMail): SettledRow => ({
  id,
  state: "sending",
  attempts: 1,
  recipient,
  message_id: messageIdOf({ id, ...mail }),
  origin,
  created_at: at,
  started_at: at,
  due: at,
  history: null,
  run: 0,
  message,
});

const SETTLED = `SELECT id, state, attempts, recipient, message_id, created_at, coalesce(may_leave_at, created_at) AS started_at, due, origin, history, run,
    ${COUNTED_MESSAGE} AS message
  FROM sends WHERE n = ?`;

/**
 * Records a result. A result of an earlier attempt counts only if it succeeded.
 *
 * @param mail of a claim without a row
 * @returns next due time in Unix ms, or undefined
 */
export const settle = (
  clock: Settling,
  result: SendResult,
  heard: Heard = () => undefined,
  mail?: CampaignMail & { mailer: string },
): number | undefined => withCounts(clock, (counted) => settleOne(counted, result, heard, mail));

const settleOne = (
  clock: Settling & Counted,
  { n, attempt, sender, handover }: SendResult,
  heard: Heard,
  mail?: CampaignMail & { mailer: string },
): number | undefined => {
  const [stored] = clock.sql.exec<SettledRow>(SETTLED, n).toArray();
  const row = stored ?? (mail && newRow(mail));
  // An unknown mail's values are erased after a day; its result may arrive later.
  if (!row || (row.due === null && row.state !== "unknown")) return undefined;
  const learn = () => heard({ recipient: row.recipient, messageId: row.message_id });
  if (handover.outcome === "accepted") {
    learn();
    if (stored || !mail) finish(clock, n, { state: "sent", sender, reply: handover.reply });
    else addSent(clock, mail, sender, handover.reply?.slice(0, MAX_REPLY));
    if (row.state === "sending") clock.counts.add(row.message, "sends", "settled");
    reportSent(clock, n);
    const { refusedCopies = [] } = handover;
    if (refusedCopies.length > 0)
      noteEvents(clock, n, { kind: "copies_refused", detail: { attempt, sender, refusedCopies } });
    return undefined;
  }
  if (row.state !== "sending" || row.attempts !== attempt) return undefined;
  const notBefore = learn() ?? 0;
  const message = handover.message.slice(0, MAX_REPLY);
  log("send_attempt_failed", { send: row.id, attempt, sender, outcome: handover.outcome, error: message });
  const event = { kind: handover.outcome, detail: { attempt, sender, ...handover, message } };
  const history = withEvent(row.history, clock.now, event);
  const failing = { ...row, n, sender, notBefore, history, mail: stored ? undefined : mail };
  const due = settleFailure(clock, failing, handover, message);
  return due !== undefined && endIfOver(clock, { n, origin: row.origin }) ? undefined : due;
};

/** Frees a mail that the Mailer never started. */
export const release = (clock: Clock, { n, attempt }: Claim): void => {
  const [released] = clock.sql
    .exec<{ origin: string | null }>(
      "UPDATE sends SET state = 'queued', due = ? WHERE n = ? AND state = 'sending' AND attempts = ? RETURNING origin",
      clock.now,
      n,
      attempt,
    )
    .toArray();
  if (released) endIfOver(clock, { n, ...released });
};
