import { DAY_MS, MINUTE_MS } from "../lib/util/dates.ts";
import { log } from "../lib/util/log.ts";
import { anyContact, purgeContacts } from "./identity/purge.ts";
import { purgeWebhooks } from "./journal/purge.ts";
import { oldestSeq } from "./journal/read.ts";
import { acceptedAt } from "./model/calls.ts";
import { retentionOf } from "./model/config.ts";
import type { EngineContext } from "./model/dependencies.ts";
import { createSizeBound } from "./size-bound.ts";

/** Ms between two slices of what is too old. */
const PAUSE = 200;
const SLICE = 500;
/** Ms between two looks at the size of the database. */
const LOOK_EVERY = 1_000;

export type Retention = ReturnType<typeof createRetention>;

/** Purges what is older than the retention, and keeps the database below its bound, a slice at a time. */
export const createRetention = (deps: EngineContext) => {
  const { sql } = deps.disk;
  const sizeBound = createSizeBound(deps);
  let isRunning = false;
  /** When to look for old rows again, Unix ms. */
  let nextRun = 0;
  /** When to look at the size again, Unix ms. */
  let nextLook = 0;

  const purgeOld = async (before: number): Promise<void> => {
    for (let contactsTo: string | undefined = ""; ; await deps.sleep(PAUSE)) {
      const deleted = purgeWebhooks(sql, before, SLICE).length;
      if (contactsTo !== undefined) contactsTo = purgeContacts(sql, before, contactsTo, SLICE);
      if (deleted < SLICE && contactsTo === undefined) return;
    }
  };

  const start = (work: () => Promise<void>): void => {
    isRunning = true;
    const done = work()
      .catch((error: unknown) => {
        log("purge_failed", { error: (error as Error).message });
        nextLook = deps.now() + MINUTE_MS;
      })
      .finally(() => {
        isRunning = false;
      });
    deps.waitUntil(done);
  };

  const shrink = async (): Promise<void> => {
    if (!(await sizeBound.run())) nextLook = deps.now() + MINUTE_MS;
  };

  const isLarge = (now: number): boolean => {
    // A clock that was set back must not stop the looks.
    if (now < nextLook && nextLook - now <= MINUTE_MS) return false;
    nextLook = now + LOOK_EVERY;
    return sizeBound.isTooLarge();
  };

  return {
    /** Starts to purge what is too old, once a day at most, and what is too much. */
    run: (): void => {
      const now = deps.now();
      if (isRunning) return;
      if (now < nextRun) {
        if (isLarge(now)) start(shrink);
        return;
      }
      nextRun = now + DAY_MS;
      start(async () => {
        await purgeOld(now - retentionOf(deps.env));
        if (isLarge(deps.now())) await shrink();
      });
    },
    /** To be called after each commit: starts to purge if the database is too large. Cheap: it looks once a second. */
    look: (now: number): void => {
      if (!isRunning && isLarge(now)) start(shrink);
    },
    /** When to run next, Unix ms; Infinity while nothing is stored. */
    next: (): number => {
      const oldest = oldestSeq(sql);
      if (oldest !== undefined) return Math.max(nextRun, acceptedAt(oldest) + retentionOf(deps.env));
      return anyContact(sql) ? deps.now() + DAY_MS : Number.POSITIVE_INFINITY;
    },
  };
};
