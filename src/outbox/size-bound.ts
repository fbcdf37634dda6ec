import { isoOf } from "../lib/util/dates.ts";
import { readValue, saveValue } from "../lib/util/kv.ts";
import { log } from "../lib/util/log.ts";
import { newestBodies, nextSlice, purgeBodies, purgeWebhooks } from "./journal/purge.ts";
import { OBJECT_LIMIT, RESENT_FOR, sizeOf } from "./model/config.ts";
import { acceptedAt } from "./model/delivery-state.ts";
import type { Disk, EngineContext } from "./model/dependencies.ts";

/** A slice takes a few ms, in which no webhook is accepted. */
const SLICE = { webhooks: 100, bytes: 1_000_000 };
/** Milliseconds. */
const PAUSE = 20;
/** A busy journal must not be purged constantly. */
const TARGET = 0.99;
/** Share of the bound for the newest bodies. */
const RESERVE = 0.25;
const CHUNK = 1_000;
/** Slices of an event; the alarm continues. */
const MOST_SLICES = 500;

class NothingFreed extends Error {}

const ifItFrees = <T>(disk: Disk, work: () => T): T | undefined => {
  try {
    return disk.transactionSync(() => {
      const before = disk.sql.databaseSize;
      const done = work();
      if (disk.sql.databaseSize >= before) throw new NothingFreed();
      return done;
    });
  } catch (error) {
    if (error instanceof NothingFreed) return undefined;
    throw error;
  }
};

const newestFrom = async ({ disk, sleep }: EngineContext, bytes: number): Promise<number> => {
  let left = bytes;
  for (let before = Number.MAX_SAFE_INTEGER; ; await sleep(0)) {
    const chunk = newestBodies(disk.sql, before, CHUNK);
    for (const body of chunk) {
      left -= body.bytes;
      if (left <= 0) return body.seq;
    }
    if (chunk.length < CHUNK) return 0;
    before = chunk.at(-1)?.seq ?? 0;
  }
};

type Purged = { bodies: number; bodiesTo: number; webhooks: number; webhooksTo: number };

const logPurge = ({ bodies, bodiesTo, webhooks, webhooksTo }: Purged, freed: number, size: number): void => {
  const mb = (bytes: number) => Math.round(bytes / 10_000) / 100;
  const detail = (to: number) => ({
    acceptedUntil: isoOf(acceptedAt(to)),
    freedMb: mb(freed),
    megabytes: mb(size),
  });
  if (bodies > 0) log("bodies_purged", { count: bodies, ...detail(bodiesTo) });
  if (webhooks > 0) log("webhooks_purged", { count: webhooks, ...detail(webhooksTo) });
};

/**
 * Keeps the database below its bound. The oldest bodies go first, then the oldest settled webhooks.
 * Webhooks of the last three days go last: providers resend them.
 */
export const createSizeBound = (deps: EngineContext) => {
  const { disk, env, now, sleep, observe } = deps;
  const { sql } = disk;
  let bodiesTo = readValue<number>(sql, "bodiesPurgedTo") ?? 0;
  let newest = 0;

  const nextBodies = async (): Promise<number | undefined> => {
    const bound = sizeOf(env);
    const to = nextSlice(sql, bodiesTo, SLICE.webhooks, Math.min(SLICE.bytes, bound * (1 - TARGET)));
    if (to === undefined) return undefined;
    if (to >= newest) newest = await newestFrom(deps, bound * RESERVE);
    if (to >= newest) return undefined;
    const purged = ifItFrees(disk, () => {
      saveValue(sql, "bodiesPurgedTo", to);
      return purgeBodies(sql, bodiesTo, to);
    });
    bodiesTo = to;
    return purged ?? 0;
  };

  const nextWebhooks = (): number[] => {
    const before = sql.databaseSize > OBJECT_LIMIT ? now() : now() - RESENT_FOR;
    return ifItFrees(disk, () => purgeWebhooks(sql, before, SLICE.webhooks)) ?? [];
  };

  return {
    isTooLarge: (): boolean => sql.databaseSize > sizeOf(env),

    /** Returns "no more" if nothing can be freed though the database is above its bound. */
    run: async (): Promise<"done" | "more" | "no more"> => {
      const bound = sizeOf(env);
      const before = sql.databaseSize;
      const done: Purged = { bodies: 0, bodiesTo, webhooks: 0, webhooksTo: 0 };
      let isAtEnd = false;
      for (let slice = 0; slice < MOST_SLICES && sql.databaseSize > bound * TARGET; slice++) {
        // The first slice waits too, so that it does not delay the preceding commit.
        await sleep(PAUSE);
        const bodies = await nextBodies();
        const webhooks = bodies === undefined ? nextWebhooks() : [];
        isAtEnd = bodies === undefined && webhooks.length === 0;
        if (isAtEnd) break;
        done.bodies += bodies ?? 0;
        done.webhooks += webhooks.length;
        done.webhooksTo = webhooks.reduce((a, b) => Math.max(a, b), done.webhooksTo);
      }
      const size = sql.databaseSize;
      logPurge({ ...done, bodiesTo }, before - size, size);
      observe({ kind: "size", size, bound, deleted: done.webhooks, deletedTo: acceptedAt(done.webhooksTo) });
      if (size <= bound) return "done";
      return isAtEnd ? "no more" : "more";
    },
  };
};
