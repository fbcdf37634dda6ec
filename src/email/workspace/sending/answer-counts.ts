import type { Refusals } from "../../policy/campaigns/refused-in-row.ts";
import { bucketFor, moreIn } from "../core/message-times.ts";

const COLUMNS = [
  "sends",
  "hard_bounces",
  "soft_bounces",
  "settled",
  "failed",
  "unknown",
  "refused",
  "deferred",
] as const;

type Results = Record<(typeof COLUMNS)[number], number>;

/**
 * Changes of `message_counts` by results and claims. `of`: by message (n), of mails that count. `refusals`: by campaign
 * (n).
 */
export type AnswerCounts = {
  of(message: number): Readonly<Results>;
  add(message: number | null, ...columns: readonly (keyof Results)[]): void;
  /** Counts one mail less that waits for its next attempt. */
  waitsNoMore(message: number): void;
  refusals: Map<number, Refusals>;
  write(): void;
};

/** SQL: the message (n) of a marketing mail that counts. */
export const COUNTED_MESSAGE =
  "iif(class = 'marketing' AND preview = 0, (SELECT message FROM message_revisions r WHERE r.n = revision), NULL)";

type Clock = { sql: SqlStorage; now: number };

/** Counts all results of an answer, to write them once. */
export const createAnswerCounts = (clock: Clock): AnswerCounts => {
  const { sql } = clock;
  const results = new Map<number, Results>();
  const refusals = new Map<number, Refusals>();
  const of = (message: number): Results => {
    const known = results.get(message) ?? { ...NONE };
    results.set(message, known);
    return known;
  };
  return {
    of,
    add: (message, ...columns) => {
      if (message !== null) for (const column of columns) of(message)[column] += 1;
    },
    waitsNoMore: (message) => {
      of(message).deferred -= 1;
    },
    refusals,
    write: () => {
      for (const [message, counted] of results) addResults(clock, message, counted);
      for (const [campaign, counted] of refusals)
        sql.exec("UPDATE campaigns SET refusals = ? WHERE n = ?", JSON.stringify(counted), campaign);
      results.clear();
      refusals.clear();
    },
  };
};

const NONE = Object.fromEntries(COLUMNS.map((column) => [column, 0])) as Results;

const addResults = ({ sql, now }: Clock, message: number, counted: Results): void => {
  const values = COLUMNS.map((column) => counted[column]);
  if (values.every((value) => value === 0)) return;
  const taken = counted.sends - counted.refused;
  const bucket = taken > 0 ? bucketFor(sql, message, now) : undefined;
  const [times, added] = bucket === undefined ? ["NULL", "sent_times"] : ["json_object(?, ?)", moreIn("sent_times")];
  sql.exec(
    `INSERT INTO message_counts (message, spam_reports, unsubscribes, ${COLUMNS.join(", ")}, sent_times)
     VALUES (?, 0, 0, ${COLUMNS.map(() => "?").join(", ")}, ${times})
     ON CONFLICT (message) DO UPDATE SET ${COLUMNS.map((column) => `${column} = ${column} + excluded.${column}`).join(", ")},
       sent_times = ${added}`,
    message,
    ...values,
    ...(bucket === undefined ? [] : [bucket, taken, bucket, bucket, taken]),
  );
};

/** Works with the counts of an answer, or with counts of its own. */
export const withCounts = <Given extends Clock & { counts?: AnswerCounts | undefined }, T>(
  clock: Given,
  work: (clock: Given & { counts: AnswerCounts }) => T,
): T => {
  const counts = clock.counts ?? createAnswerCounts(clock);
  const result = work({ ...clock, counts });
  if (!clock.counts) counts.write();
  return result;
};
