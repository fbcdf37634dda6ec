import { auditEnds, purgeAudit } from "../lib/audit/entries.ts";
import { DAY_MS, MINUTE_MS } from "../lib/util/dates.ts";
import { log } from "../lib/util/log.ts";
import { anyContact, purgeContacts } from "./identity/purge.ts";
import { purgeWebhooks } from "./journal/purge.ts";
import { oldestSeq } from "./journal/read.ts";
import { retentionOf } from "./model/config.ts";
import { acceptedAt } from "./model/delivery-state.ts";
import type { EngineContext } from "./model/dependencies.ts";
import { createSizeBound } from "./size-bound.ts";

/** Milliseconds. */
const PAUSE = 200;
const SLICE = 500;
/** Slices of an event; the alarm continues. */
const MOST_SLICES = 40;
/** Milliseconds. */
const LOOK_EVERY = 1_000;
const NEVER = Number.POSITIVE_INFINITY;

export type Retention = ReturnType<typeof createRetention>;

/** Purges old data and limits the database size, in slices. */
export const createRetention = (deps: EngineContext) => {
  const { sql } = deps.disk;
  const sizeBound = createSizeBound(deps);
  let isRunning = false;
  /** Unix ms. */
  let nextRun = 0;
  /** Unix ms. */
  let nextLook = 0;

  /** Position in the contacts; undefined after the last. */
  let contactsTo: string | undefined = "";

  /** Returns true at the end. */
  const purgeOld = async (now: number): Promise<boolean> => {
    const before = now - retentionOf(deps.env);
    for (let slice = 0; slice < MOST_SLICES; slice++) {
      if (slice > 0) await deps.sleep(PAUSE);
      const deleted = purgeWebhooks(sql, before, SLICE).length;
      if (contactsTo !== undefined) contactsTo = purgeContacts(sql, { before, now }, contactsTo, SLICE);
      const ended = purgeAudit(sql, now, SLICE);
      if (deleted < SLICE && ended < SLICE && contactsTo === undefined) {
        contactsTo = "";
        return true;
      }
    }
    return false;
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
    const shrunk = await sizeBound.run();
    nextLook = deps.now() + (shrunk === "no more" ? MINUTE_MS : 0);
    if (shrunk === "more") deps.arm(nextLook);
  };

  const isLarge = (now: number): boolean => {
    // A clock that was set back must not stop the checks.
    if (now < nextLook && nextLook - now <= MINUTE_MS) return false;
    nextLook = now + LOOK_EVERY;
    return sizeBound.isTooLarge();
  };

  return {
    /** Runs once a day at most. */
    run: (): void => {
      const now = deps.now();
      if (isRunning) return;
      if (now < nextRun) {
        if (isLarge(now)) start(shrink);
        return;
      }
      nextRun = now + DAY_MS;
      start(async () => {
        if (await purgeOld(now)) {
          if (isLarge(deps.now())) await shrink();
        } else {
          nextRun = deps.now();
          deps.arm(nextRun);
        }
      });
    },
    /** Delivery after each commit; it checks the size once a second. */
    look: (now: number): void => {
      if (!isRunning && isLarge(now)) start(shrink);
    },
    /** Unix ms; Infinity while nothing is stored. */
    next: (): number => {
      const oldest = oldestSeq(sql);
      const ends = Math.min(auditEnds(sql), oldest === undefined ? NEVER : acceptedAt(oldest) + retentionOf(deps.env));
      if (oldest === undefined && anyContact(sql)) return Math.min(Math.max(nextRun, ends), deps.now() + DAY_MS);
      return Math.max(nextRun, ends);
    },
  };
};
