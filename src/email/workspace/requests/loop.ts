import { log } from "../../../lib/util/log.ts";
import type { step } from "../../policy/workflows/run/step.ts";
import { createCampaignSlices } from "../campaigns/slices.ts";
import { firstTime } from "../core/chore.ts";
import { type Context, wake } from "../core/context.ts";
import { sweeping } from "../core/sweeps.ts";
import { sendingDomainOf } from "../domains/sending-domain.ts";
import { isImporting } from "../imports/rows.ts";
import { takeImportSlice } from "../imports/slices.ts";
import { sendingWorkflow } from "../workflows/rows.ts";
import {
  countTaken,
  type DueRun,
  dueRuns,
  putOff,
  type Slice,
  saveCounts,
  sliceOf,
  takeRun,
} from "../workflows/runs/slice.ts";
import { startRuns } from "../workflows/runs/trigger.ts";
import { createTurns } from "../workflows/runs/turns.ts";
import { tidyings } from "./tidy.ts";

/** About a second of CPU time; the limit is 30. The next alarm follows at once. */
export const RUN_SLICES = 200;
export const ENTRY_SLICES = 10;
const MAX_FAILURES = 5;
const RETRY_MS = 60_000;
export type RunPumpDependencies = {
  context(): Context;
  transaction<T>(work: () => T): T;
  pause(): Promise<void>;
  follow(context: Context): void;
  /** False without a configured marketing sender; campaigns wait for one. */
  hasSender?(): boolean;
  step?: typeof step;
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
  transaction: RunPumpDependencies["transaction"],
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

type Loop = {
  round(): ((work: Context) => void)[];
  take(slice: (work: Context) => void): void;
  pause(): Promise<void>;
};

const createLoop = ({ round, take, pause }: Loop) => {
  let running = false;
  return async (most: number): Promise<void> => {
    if (running) return;
    running = true;
    try {
      let left = most;
      for (let slices = round(); slices.length > 0; slices = round()) {
        if (left <= 0) return;
        for (const slice of slices.slice(0, left)) {
          take(slice);
          left -= 1;
          await pause();
        }
      }
    } finally {
      running = false;
    }
  };
};

const askAgain = ({ context, follow }: RunPumpDependencies): void => {
  const work = context();
  wake(work, work.now);
  follow(work);
};

/** Moves due runs, campaigns, imports and cleanup in slices, one per workflow and campaign in turn. */
export const createRunPump = (dependencies: RunPumpDependencies) => {
  const { context, transaction, pause, follow, hasSender = () => true } = dependencies;
  const turns = createTurns();
  /** `n` of the last served workflow. The next round continues after it, because a call may end within a round. */
  let last = 0;
  let hasNoDomain = false;

  const domainOf = (work: Context): string | undefined => {
    const found = sendingDomainOf(work, "marketing");
    if ("domain" in found) {
      hasNoDomain = false;
      return found.domain;
    }
    if (!hasNoDomain) log("workflows_wait", { reason: found.refusal.message });
    hasNoDomain = true;
    return undefined;
  };

  const campaigns = createCampaignSlices({
    transaction,
    domainOf: (work) => (hasSender() ? domainOf(work) : undefined),
  });

  const takeRuns = (work: Context, n: number): void => {
    const { sql, now } = work;
    last = n;
    const workflow = sendingWorkflow(work, n);
    const domain = domainOf(work);
    if (!workflow || domain === undefined || sweeping(sql).includes(n)) return;
    const slice = sliceOf(sql, workflow, domain, turns, dependencies.step);
    for (const run of dueRuns(sql, n, now)) takeOne(transaction, work, slice, run);
    saveCounts(sql, slice, now);
  };

  const takeSlice = (slice: (work: Context) => void): void => {
    const work = context();
    transaction(() => slice(work));
    follow(work);
  };

  const round = (): ((work: Context) => void)[] => {
    const work = context();
    const { sql, now } = work;
    const moving = domainOf(work) === undefined ? [] : due(sql, now);
    const inTurn = [...moving.filter((n) => n > last), ...moving.filter((n) => n <= last)];
    const importing = isImporting(sql) ? [(next: Context) => takeImportSlice(next, { transaction, startRuns })] : [];
    const moves = inTurn.map((n) => (next: Context) => takeRuns(next, n));
    return [...tidyings(sql), ...importing, ...moves, ...campaigns.slices(work)];
  };

  const run = createLoop({ round, take: takeSlice, pause });

  return {
    next(): number {
      const work = context();
      if (tidyings(work.sql).length > 0 || isImporting(work.sql)) return work.now;
      const run = domainOf(work) === undefined ? Number.POSITIVE_INFINITY : nextRun(work.sql);
      return Math.min(run, campaigns.next(work));
    },

    run,

    /** Continues campaigns after results of their mails. */
    async campaigns(): Promise<void> {
      if (campaigns.slices(context()).length === 0) return;
      await run(ENTRY_SLICES);
      if (campaigns.slices(context()).length > 0) askAgain(dependencies);
    },
  };
};

export type RunPump = ReturnType<typeof createRunPump>;
