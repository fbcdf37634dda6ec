import { log } from "../../../lib/util/log.ts";
import type { step } from "../../workflows/run/step.ts";
import { firstTime } from "../base/chore.ts";
import type { Context } from "../base/context.ts";
import { sendingDomainOf } from "../domains/sending-domain.ts";
import { sendingWorkflow } from "../workflows/rows.ts";
import { countTaken, type DueRun, dueRuns, putOff, type Slice, saveCounts, sliceOf, takeRun } from "./slice.ts";

/** Most slices of one alarm: about a second of CPU time, where the limit is 30. The next alarm follows at once. */
export const RUN_SLICES = 200;
/** Most slices after a request that has started runs, so that their first mails leave at once. */
export const ENTRY_SLICES = 10;
/** A run that fails so often in a row is given up. */
const MAX_FAILURES = 5;
/** Pause before a run that failed is due again, in ms, times the number of its failures. */
const RETRY_MS = 60_000;
/** How often workflows look for a domain to send from while the team has none, in ms. */
const NO_DOMAIN_MS = 600_000;

/** What the pump needs. */
export type RunPumpDependencies = {
  /** What operations work with, as it is now. */
  context(): Context;
  transaction<T>(work: () => T): T;
  /** Lets requests in between two slices. */
  pause(): Promise<void>;
  /** Does what a slice has left for after its commit. */
  follow(context: Context): void;
  /** Another step function, for tests. */
  step?: typeof step;
};

/** Sending workflows with a run that is due: n of each. */
const due = ({ sql, now }: Context, notBefore: number): number[] =>
  now < notBefore
    ? []
    : sql
        .exec<{ n: number }>(
          `SELECT n FROM workflows WHERE status = 'Sending' AND deleted_at IS NULL
             AND EXISTS (SELECT 1 FROM runs WHERE workflow = n AND wake <= ?) ORDER BY n`,
          now,
        )
        .toArray()
        .map(({ n }) => n);

/** When the next run of a sending workflow is due, in Unix ms; infinity when none waits. */
const nextRun = (sql: SqlStorage): number =>
  firstTime(
    sql,
    `SELECT min((SELECT min(wake) FROM runs WHERE workflow = n AND wake IS NOT NULL)) AS at
     FROM workflows WHERE status = 'Sending' AND deleted_at IS NULL`,
  );

/** Moves the runs that are due, in slices, one of each workflow in turn. */
export const createRunPump = (dependencies: RunPumpDependencies) => {
  const { context, transaction, pause, follow } = dependencies;
  /** Failures of runs since the start of this process, by run. */
  const failures = new Map<string, number>();
  let running = false;
  let noDomainUntil = 0;

  const take = (work: Context, slice: Slice, run: DueRun): void => {
    const key = `${run.contact} ${run.workflow} ${run.seq}`;
    try {
      const taken = transaction(() => takeRun(work, slice, run));
      countTaken(slice, taken);
      failures.delete(key);
    } catch (error) {
      const count = (failures.get(key) ?? 0) + 1;
      failures.set(key, count);
      const isGivenUp = count >= MAX_FAILURES;
      if (isGivenUp) failures.delete(key);
      const message = error instanceof Error ? error.message : String(error);
      log("run_failed", {
        workflow: slice.workflow.id,
        contact: run.contact,
        run: run.seq,
        failures: count,
        error: message,
      });
      if (isGivenUp) countTaken(slice, { ended: "fault", mails: [] });
      putOff(work.sql, run, work.now, isGivenUp ? undefined : work.now + count * RETRY_MS);
    }
  };

  /** One slice of a workflow, in one transaction. */
  const takeSlice = (n: number): void => {
    const work = context();
    const { sql, now } = work;
    transaction(() => {
      const workflow = sendingWorkflow(work, n);
      if (!workflow) return;
      const domain = sendingDomainOf(work, "marketing");
      if ("refusal" in domain) {
        noDomainUntil = now + NO_DOMAIN_MS;
        log("workflows_wait", { reason: domain.refusal.message });
        return;
      }
      const slice = sliceOf(sql, workflow, domain.domain, dependencies.step);
      for (const run of dueRuns(sql, n, now)) take(work, slice, run);
      saveCounts(sql, slice);
    });
    follow(work);
  };

  return {
    /** When a run is due, in Unix ms; infinity when none waits. */
    next(): number {
      return Math.max(nextRun(context().sql), noDomainUntil);
    },

    /** Takes slices until nothing is due, or `most` were taken. A second call while one works returns at once: that one sees its runs. */
    async run(most: number): Promise<void> {
      if (running) return;
      running = true;
      try {
        let left = most;
        for (
          let round = due(context(), noDomainUntil);
          round.length > 0 && left > 0;
          round = due(context(), noDomainUntil)
        ) {
          for (const n of round.slice(0, left)) {
            takeSlice(n);
            left -= 1;
            await pause();
          }
        }
      } finally {
        running = false;
      }
    },
  };
};

export type RunPump = ReturnType<typeof createRunPump>;
