import { log } from "../../../lib/util/log.ts";
import type { step } from "../../policy/workflows/run/step.ts";
import { createCampaignSlices } from "../campaigns/slices.ts";
import { type Context, wake } from "../core/context.ts";
import { rowsOpenAt } from "../core/day-rows-words.ts";
import { isFull, storageFull } from "../core/size.ts";
import { sendingDomainOf } from "../domains/sending-domain.ts";
import { isImporting } from "../imports/import-rows.ts";
import { takeImportSlice } from "../imports/slices.ts";
import type { ClaimedRecipients, WantedRecipients } from "../sending/wanted-recipients.ts";
import { createRunSlices } from "../workflows/runs/slices.ts";
import { startRuns } from "../workflows/runs/trigger.ts";
import { tidyings } from "./tidy.ts";

/** Slices of an alarm, about 50 ms. The next alarm follows at once. */
export const RUN_SLICES = 10;
export const ENTRY_SLICES = 10;

export type RunPumpDependencies = {
  context(): Context;
  transaction<T>(work: () => T): T;
  pause(): Promise<void>;
  follow(context: Context): void;
  /** False without a configured marketing sender; campaigns wait for one. */
  hasSender?(): boolean;
  step?: typeof step;
};

/** Returns true if more of the same work may be due. */
type Slice = (work: Context) => unknown;

type Loop = {
  round(): Slice[];
  take(slice: Slice): unknown;
  pause(): Promise<void>;
};

/** In ms. Deletions wake no waiting work. */
const FULL_MS = 600_000;

/**
 * A slice that throws stops no other; the loop throws after them. A call during a loop waits for the end of that one. The
 * same round repeats while all of its slices may have more.
 */
const createLoop = ({ round, take, pause }: Loop) => {
  let running: Promise<void> | undefined;
  return async (most: number): Promise<void> => {
    if (running) return running;
    const { promise, resolve } = Promise.withResolvers<void>();
    running = promise;
    try {
      let left = most;
      const failed: unknown[] = [];
      for (let slices = round(), goOn = true; slices.length > 0 && left > 0; slices = goOn ? slices : round()) {
        goOn = true;
        for (const slice of slices.slice(0, left)) {
          try {
            goOn = take(slice) === true && goOn;
          } catch (error) {
            failed.push(error);
            goOn = false;
          }
          left -= 1;
          await pause();
        }
      }
      if (failed.length > 0) throw failed[0];
    } finally {
      running = undefined;
      resolve();
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
  let hasNoDomain = false;

  const domainOf = (work: Context): string | undefined => {
    const found = isFull(work) ? { refusal: storageFull(work) } : sendingDomainOf(work, "marketing");
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

  const runs = createRunSlices({ transaction, domainOf, step: dependencies.step });

  const takeSlice = (slice: Slice): unknown => {
    const work = context();
    const hasMore = transaction(() => slice(work));
    follow(work);
    return hasMore;
  };

  const mayImport = (work: Context): boolean => !isFull(work) && rowsOpenAt(work, "campaigns") === 0;

  const imports = (work: Context): Slice[] =>
    isImporting(work.sql) && mayImport(work) ? [(work) => takeImportSlice(work, { transaction, startRuns })] : [];

  const round = (): Slice[] => {
    const work = context();
    return [...tidyings(work.sql), ...imports(work), ...runs.slices(work), ...campaigns.slices(work)];
  };

  const run = createLoop({ round, take: takeSlice, pause });

  return {
    next(): number {
      const work = context();
      const now = tidyings(work.sql).length > 0 || imports(work).length > 0;
      if (now) return work.now;
      const later = isFull(work) ? work.now + FULL_MS : Number.POSITIVE_INFINITY;
      const opensAt = isImporting(work.sql) ? rowsOpenAt(work, "campaigns") : 0;
      return Math.min(runs.next(work), campaigns.next(work), later, opensAt || Number.POSITIVE_INFINITY);
    },

    run,

    /** Claims the mail of the next recipients of campaigns. */
    claim: (wanted: WantedRecipients): ClaimedRecipients => campaigns.claim(context(), wanted),

    isSending: (): boolean => campaigns.isSending(context()),

    /** Continues campaigns after results of their mails. */
    async campaigns(): Promise<void> {
      if (campaigns.slices(context()).length === 0) return;
      await run(ENTRY_SLICES);
      if (campaigns.slices(context()).length > 0) askAgain(dependencies);
    },
  };
};
