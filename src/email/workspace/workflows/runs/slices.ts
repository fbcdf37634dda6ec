import { log } from "../../../../lib/util/log.ts";
import type { step } from "../../../policy/workflows/run/step.ts";
import { firstTime } from "../../core/chore.ts";
import type { Context } from "../../core/context.ts";
import { rowsOpenAt } from "../../core/day-rows-words.ts";
import { sweeping } from "../../core/sweeps.ts";
import { sendingWorkflow } from "../workflow-rows.ts";
import { countTaken, type DueRun, dueRuns, putOff, SLICE, type Slice, saveCounts, sliceOf, takeRun } from "./slice.ts";
import { createTurns } from "./turns.ts";

const MAX_FAILURES = 5;
const RETRY_MS = 60_000;

type RunSliceDependencies = {
  /** Nested transaction. */
  transaction<T>(work: () => T): T;
  /** Domain of marketing mail; undefined if there is none, and runs wait. */
  domainOf(work: Context): string | undefined;
  step?: typeof step | undefined;
};

const MOVING = `status = 'Sending' AND deleted_at IS NULL AND NOT EXISTS (SELECT 1 FROM sweeps WHERE workflow = workflows.n)`;

const due = (sql: SqlStorage, now: number): number[] =>
  sql
    .exec<{ n: number }>(
      `SELECT n FROM workflows WHERE ${MOVING} AND EXISTS (SELECT 1 FROM runs WHERE workflow = workflows.n AND wake <= ?) ORDER BY n`,
      now,
    )
    .toArray()
    .map(({ n }) => n);

const nextRun = (sql: SqlStorage): number =>
  firstTime(
    sql,
    `SELECT min((SELECT min(wake) FROM runs WHERE workflow = workflows.n AND wake IS NOT NULL)) AS at FROM workflows WHERE ${MOVING}`,
  );

/** One step is one transaction. A failed run is retried, then given up. */
const takeOne = (
  transaction: RunSliceDependencies["transaction"],
  ...[work, slice, run]: [Context, Slice, DueRun]
): void => {
  try {
    const taken = transaction(() => takeRun(work, slice, run));
    countTaken(slice, taken);
  } catch (error) {
    const { contact, seq } = run;
    const failures = run.failures + 1;
    const isGivenUp = failures >= MAX_FAILURES;
    const message = error instanceof Error ? error.message : String(error);
    log("run_failed", { workflow: slice.workflow.id, contact, run: seq, failures, error: message });
    const position = { node: run.node, ended: "fault" } as const;
    if (isGivenUp) countTaken(slice, { from: run.node, visits: [], position, mails: [] });
    putOff(work.sql, run, work.now, isGivenUp ? undefined : work.now + failures * RETRY_MS);
  }
};

/** Moves due runs, a workflow at a time. */
export const createRunSlices = ({ transaction, domainOf, step }: RunSliceDependencies) => {
  const turns = createTurns();
  /** `n` of the last served workflow. The next round continues after it, because a call may end within a round. */
  let last = 0;

  /** Returns true if more runs may be due. */
  const take = (work: Context, n: number): boolean => {
    const { sql, now } = work;
    last = n;
    const workflow = sendingWorkflow(work, n);
    const domain = domainOf(work);
    if (!workflow || domain === undefined || sweeping(sql).includes(n)) return false;
    const slice = sliceOf(sql, workflow, domain, turns, step);
    const runs = dueRuns(sql, n, now);
    for (const run of runs) takeOne(transaction, work, slice, run);
    saveCounts(sql, slice, now);
    return runs.length === SLICE && rowsOpenAt(work, "workflows") === 0;
  };

  return {
    slices(work: Context): ((work: Context) => boolean)[] {
      const waits = domainOf(work) === undefined || rowsOpenAt(work, "workflows") > 0;
      const moving = waits ? [] : due(work.sql, work.now);
      const inTurn = [...moving.filter((n) => n > last), ...moving.filter((n) => n <= last)];
      return inTurn.map((n) => (next: Context) => take(next, n));
    },
    next: (work: Context): number =>
      domainOf(work) === undefined
        ? Number.POSITIVE_INFINITY
        : Math.max(nextRun(work.sql), rowsOpenAt(work, "workflows")),
  };
};
