import type { Refusals } from "../../policy/campaigns/refused-in-row.ts";

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

/** Counts all results of an answer, to write them once. */
export const createAnswerCounts = (sql: SqlStorage): AnswerCounts => {
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
      for (const [message, counted] of results) addResults(sql, message, counted);
      for (const [campaign, counted] of refusals)
        sql.exec("UPDATE campaigns SET refusals = ? WHERE n = ?", JSON.stringify(counted), campaign);
      results.clear();
      refusals.clear();
    },
  };
};

const NONE = Object.fromEntries(COLUMNS.map((column) => [column, 0])) as Results;

const addResults = (sql: SqlStorage, message: number, counted: Results): void => {
  const values = COLUMNS.map((column) => counted[column]);
  if (values.every((value) => value === 0)) return;
  sql.exec(
    `INSERT INTO message_counts (message, spam_reports, unsubscribes, ${COLUMNS.join(", ")})
     VALUES (?, 0, 0, ${COLUMNS.map(() => "?").join(", ")})
     ON CONFLICT (message) DO UPDATE SET ${COLUMNS.map((column) => `${column} = ${column} + excluded.${column}`).join(", ")}`,
    message,
    ...values,
  );
};

/** Works with the counts of an answer, or with counts of its own. */
export const withCounts = <Clock extends { sql: SqlStorage; counts?: AnswerCounts | undefined }, T>(
  clock: Clock,
  work: (clock: Clock & { counts: AnswerCounts }) => T,
): T => {
  const counts = clock.counts ?? createAnswerCounts(clock.sql);
  const result = work({ ...clock, counts });
  if (!clock.counts) counts.write();
  return result;
};
