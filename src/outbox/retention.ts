import { log } from "../lib/util/log.ts";
import { anyContact, purgeContacts } from "./identity/purge.ts";
import { purgeBodies, purgeWebhooks } from "./journal/purge.ts";
import { oldestSeq } from "./journal/read.ts";
import { acceptedAt } from "./model/calls.ts";
import { retentionOf, sizeOf } from "./model/config.ts";
import type { Dependencies } from "./model/dependencies.ts";

const DAY = 86_400_000;
/** Ms until the next slice while more is left to purge. */
const AGAIN = 2_000;
const SLICE = 500;

export type Retention = ReturnType<typeof createRetention>;

/** Purges what is older than the retention, and the oldest bodies when the database is too large, a slice at a time. */
export const createRetention = (deps: Pick<Dependencies, "disk" | "env" | "now">) => {
  let nextRun = 0;
  let hasMore = false;
  /** Key of the last contact that was looked at. */
  let contactsTo: string | undefined;
  /** `seq` up to which bodies were purged for the size of the database. */
  let bodiesTo = 0;
  /** True when the database is too large and no body is left to purge. */
  let bodiesGone = false;

  const isTooLarge = (): boolean => !bodiesGone && deps.disk.sql.databaseSize > sizeOf(deps.env);

  /** Purges a slice of bodies and logs it, because those webhooks can never be replayed. True when more may follow. */
  const shrink = (): boolean => {
    const { sql } = deps.disk;
    // Start over once a day: calls that were open then may be settled now.
    if (bodiesGone) bodiesTo = 0;
    bodiesGone = false;
    if (!isTooLarge()) return false;
    const purged = purgeBodies(sql, bodiesTo, SLICE);
    bodiesTo = purged.reduce((a, b) => Math.max(a, b), bodiesTo);
    bodiesGone = purged.length === 0;
    log("bodies_purged", { count: purged.length, megabytes: Math.round(sql.databaseSize / 1_000_000) });
    return isTooLarge();
  };

  return {
    /** Purges one slice if it is time. Never throws. */
    run: (): void => {
      const now = deps.now();
      if (now < nextRun && !isTooLarge()) return;
      try {
        const { sql } = deps.disk;
        const before = now - retentionOf(deps.env);
        const deleted = purgeWebhooks(sql, before, SLICE);
        contactsTo = purgeContacts(sql, before, contactsTo ?? "", SLICE);
        hasMore = deleted >= SLICE || contactsTo !== undefined || shrink();
        nextRun = now + (hasMore ? AGAIN : DAY);
      } catch (error) {
        nextRun = now + DAY;
        log("purge_failed", { error: (error as Error).message });
      }
    },
    /** When to run next, Unix ms; Infinity while nothing is stored. */
    next: (): number => {
      if (hasMore) return nextRun;
      const { sql } = deps.disk;
      const oldest = oldestSeq(sql);
      if (oldest !== undefined) return Math.max(nextRun, acceptedAt(oldest) + retentionOf(deps.env));
      return anyContact(sql) ? deps.now() + DAY : Number.POSITIVE_INFINITY;
    },
  };
};
