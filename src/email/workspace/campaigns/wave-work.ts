import { ERASED } from "../../../lib/names/finder.ts";
import type { Chore } from "../core/chore.ts";
import { waveInWords } from "../limits/limit-words.ts";
import { reasonAgainst } from "../sending/gate.ts";
import { takeBackBounce } from "../sending/marketing/counts.ts";
import { eventsOf, noteEvents } from "../sending/send-events.ts";
import { suppress } from "../sending/suppression.ts";
import { createOrigins, makeDue } from "../sending/waiting-mails.ts";
import {
  type Decision,
  decideWave,
  keepWork,
  mailsOfWave,
  type Wave,
  waveAtWork,
  waveInRow,
} from "../waves/wave-rows.ts";
import { findCampaign } from "./campaign-rows.ts";
import { goOnAgain, waitAgain } from "./retry-unknown.ts";

type Clock = { sql: SqlStorage; now: number };

/** Records a decision about a wave, and does its first slice. Mails of others that waited for it are due. */
export const endWave = (clock: Clock, { n, destination }: Wave, decision: Decision): void => {
  const { sql, now } = clock;
  decideWave(sql, now, n, decision);
  makeDue(sql, waveInWords(n, destination), now);
  const begun = waveInRow(sql, n);
  if (begun) continueWave(clock, begun);
};

/** Mails of one slice. */
const SLICE = 200;

/** Does the next slice of a decision. */
const continueWave = (clock: Clock, wave: Wave): void => {
  const { sql } = clock;
  if (wave.cursor === null) return;
  const numbers = mailsOfWave(sql, wave.n, wave.cursor, SLICE);
  const reasons = wave.decision === "suppress" ? suppressNext(clock, wave, numbers) : resendNext(clock, numbers);
  const leftOut = { ...wave.leftOut };
  for (const reason of reasons) if (reason !== undefined) leftOut[reason] = (leftOut[reason] ?? 0) + 1;
  const changed = wave.changed + reasons.filter((reason) => reason === undefined).length;
  const cursor = numbers.length < SLICE ? null : (numbers.at(-1) ?? null);
  keepWork(sql, { n: wave.n, cursor, changed, leftOut });
};

type Mail = {
  n: number;
  state: string;
  recipient: string;
  origin: string | null;
  contact: number | null;
  run: number | null;
  message: number;
};

const readMails = (sql: SqlStorage, numbers: readonly number[]): Map<number, Mail> =>
  new Map(
    sql
      .exec<Mail>(
        `SELECT s.n, s.state, s.recipient, s.origin, s.contact, s.run, r.message FROM sends s
         JOIN message_revisions r ON r.n = s.revision WHERE s.n IN (SELECT value FROM json_each(?))`,
        JSON.stringify(numbers),
      )
      .toArray()
      .map((mail) => [mail.n, mail]),
  );

/** Returns for each mail why nothing changed, or undefined. */
type Reasons = (string | undefined)[];

const whyGone = (mail: Mail | undefined): string | undefined => {
  if (!mail) return "mail_deleted";
  if (mail.recipient === ERASED) return "contact_deleted";
  return mail.state === "bounced" ? undefined : "other_result";
};

const suppressNext = (clock: Clock, { cause }: Wave, numbers: readonly number[]): Reasons => {
  const mails = readMails(clock.sql, numbers);
  return numbers.map((n) => {
    const mail = mails.get(n);
    const why = whyGone(mail);
    if (!mail || why !== undefined) return why;
    return suppress(clock, mail.recipient, "bounce", cause) ? undefined : "suppressed";
  });
};

/** Only mail of campaigns still has its values. The 24 hours of each start now. */
const resendNext = (clock: Clock, numbers: readonly number[]): Reasons => {
  const { sql } = clock;
  const mails = readMails(sql, numbers);
  const stateOf = createOrigins(sql);
  const again = new Map<string, number>();
  const whyNot = (mail: Mail | undefined): string | undefined => {
    const why = whyGone(mail);
    if (!mail || why !== undefined) return why;
    if (mail.origin === null || !mail.origin.startsWith("cmp_") || mail.run !== 0) return "no_campaign";
    return stateOf(mail.origin) === "cancelled" ? "campaign_cancelled" : reasonAgainst(sql, mail.n);
  };
  const reasons = numbers.map((n) => {
    const mail = mails.get(n);
    const why = whyNot(mail);
    if (!mail || why !== undefined) return why;
    sendAgain(clock, mail);
    again.set(mail.origin ?? "", (again.get(mail.origin ?? "") ?? 0) + 1);
    return undefined;
  });
  for (const [id, count] of again) {
    const found = findCampaign({ sql }, id);
    if ("refusal" in found) continue;
    goOnAgain(clock, found.campaign);
    waitAgain(sql, found.campaign, count);
  }
  return reasons;
};

const sendAgain = (clock: Clock, { n, origin, contact, message }: Mail): void => {
  const { sql, now } = clock;
  const last = eventsOf(sql, n).findLast(({ kind }) => kind === "refused" || kind === "bounced");
  takeBackBounce(sql, message, { isRefused: last?.kind === "refused" });
  sql.exec(
    "UPDATE sends SET state = 'queued', due = ?1, settled_at = NULL, variables = '{}', may_leave_at = ?1 WHERE n = ?2",
    now,
    n,
  );
  sql.exec(
    `UPDATE recipients SET state = 'in_ledger', reason = NULL, settled_at = NULL
     WHERE campaign = (SELECT n FROM campaigns WHERE id = ?) AND contact = ?`,
    origin,
    contact,
  );
  noteEvents(clock, n, { kind: "retried", detail: { state: "bounced" } });
};

/** Continues decisions that have more mails than a slice. */
export const workChore: Chore = {
  next: (sql) => (waveAtWork(sql) ? 0 : Number.POSITIVE_INFINITY),
  run: (sql, now) => {
    const wave = waveAtWork(sql);
    if (wave) continueWave({ sql, now }, wave);
  },
};
