import { DAY_MS, MINUTE_MS } from "../../../../lib/util/dates.ts";
import { log } from "../../../../lib/util/log.ts";
import { codesIn } from "../../../mail/bounces/classify.ts";
import { equalWords } from "../../../policy/refusals/equal-words.ts";
import { MIN_WAVE, mailsOfAWave, type Seen } from "../../../policy/refusals/wave.ts";
import { destinationOf } from "../../limits/destinations.ts";
import { addWave, isBelieved, joinWave, openWaveOf } from "../../waves/wave-rows.ts";
import { liftBounce, suppress } from "../suppression.ts";

type Clock = { sql: SqlStorage; now: number };

/** `words`: of the answer. `isReport`: it came after the mail provider took the mail. */
type Bounced = { n: number; recipient: string; origin: string | null; words: string; isReport: boolean };

/**
 * `codes`: of its answers. `times`: Unix ms of the last of them. `checkAt`: number of answers at which the mails are
 * looked at.
 */
type Run = { codes: string; times: readonly number[]; count: number; checkAt: number };

/** Longest pause in a run, in ms. */
const PAUSE_MS = 60 * MINUTE_MS;
const MOST_RUNS = 1_000;
/** Answers until the mails are looked at again. */
const MOST_BETWEEN = 40;
/** Mails that are looked at before and after a mail. */
const LOOKED_AT = 5_000;

/** Lost when the object restarts: a run then begins again, and its wave finds the earlier mails. */
const runs = new WeakMap<SqlStorage, Map<string, Run>>();

/**
 * Suppresses a bounced address, unless equal answers of its destination are a wave. Call it when the mail has its state.
 *
 * @returns false in a wave: a person decides
 */
export const bounced = (clock: Clock, mail: Bounced): boolean => {
  const { sql, now } = clock;
  const { recipient } = mail;
  const destination = destinationOf(recipient);
  const open = openWaveOf(sql, destination);
  if (open !== undefined) {
    joinWave(sql, open, { ...mail, at: now });
    return false;
  }
  const cause = equalWords(mail.words, recipient);
  suppress(clock, recipient, "bounce", cause);
  if (isBelieved(sql, now, destination, cause)) return true;
  const codes = codesOf(mail.words, cause);
  const run = nextRun(clock, destination, codes);
  if (run.count < run.checkAt) return true;
  run.checkAt = run.count + Math.min(run.count, MOST_BETWEEN);
  const seen = seenAround(sql, { n: mail.n, destination, cause, codes });
  const { isReport, origin } = mail;
  const campaign = origin?.startsWith("cmp_") ? origin : null;
  const mails = mailsOfAWave(seen, { campaign, isReport, since: run.times[0] ?? now, now });
  return mails.length === 0 || !openWave(clock, destination, cause, mails);
};

/** The codes of an answer tell equal ones although each has other words; without a code its words do. */
const codesOf = (words: string, cause: string): string => {
  const { code, replyCode } = codesIn(words);
  return code === undefined && replyCode === undefined ? cause : `${replyCode} ${code}`;
};

const nextRun = ({ sql, now }: Clock, destination: string, codes: string): Run => {
  const known = runs.get(sql) ?? new Map<string, Run>();
  runs.set(sql, known);
  const before = known.get(destination);
  const isNext = before?.codes === codes && now - (before.times.at(-1) ?? 0) <= PAUSE_MS;
  const run: Run = isNext
    ? { ...before, times: [...before.times, now].slice(-MIN_WAVE), count: before.count + 1 }
    : { codes, times: [now], count: 1, checkAt: MIN_WAVE };
  // The last place is that of the newest run.
  known.delete(destination);
  const [oldest] = known.keys();
  if (known.size >= MOST_RUNS && oldest !== undefined) known.delete(oldest);
  known.set(destination, run);
  return run;
};

type Row = { n: number; recipient: string; state: string; error: string | null; origin: string | null; at: number };

type SeenMail = Seen & { n: number; recipient: string; cause: string };

/** The mails around `n` to its destination that have a result. */
const seenAround = (
  sql: SqlStorage,
  { n, destination, cause, codes }: { n: number; destination: string; cause: string; codes: string },
): SeenMail[] => {
  const rows = sql.exec<Row>(
    `SELECT n, recipient, state, error, origin, settled_at AS at FROM sends
     WHERE n IN (SELECT n FROM (SELECT n FROM sends WHERE n <= ?1 ORDER BY n DESC LIMIT ${LOOKED_AT})
         UNION ALL SELECT n FROM (SELECT n FROM sends WHERE n > ?1 ORDER BY n LIMIT ${LOOKED_AT}))
       AND state IN ('sent', 'delivered', 'bounced', 'complained', 'failed') AND preview = 0`,
    n,
  );
  const seen: SeenMail[] = [];
  for (const { state, error, ...row } of rows)
    if (destinationOf(row.recipient) === destination) {
      const words = state === "bounced" ? (error ?? "") : "";
      const own = words === "" ? "" : equalWords(words, row.recipient);
      const isEqual = own === cause && own !== "";
      const isAlike = isEqual || (own !== "" && codesOf(words, own) === codes);
      seen.push({ ...row, cause: own, isEqual, isAlike });
    }
  return seen;
};

/** Takes the suppressions of its mails back. */
const openWave = ({ sql, now }: Clock, destination: string, cause: string, mails: readonly SeenMail[]): boolean => {
  const lifted = mails.filter((mail) => liftBounce(sql, mail.recipient, { cause: mail.cause, since: now - DAY_MS }));
  if (lifted.length === 0) return false;
  const wave = addWave(sql, now, destination, cause);
  for (const mail of lifted) joinWave(sql, wave, mail);
  runs.get(sql)?.delete(destination);
  log("bounce_wave", { destination, cause, mails: lifted.length });
  return true;
};
