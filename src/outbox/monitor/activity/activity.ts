import { HOUR_MS } from "../../../lib/util/dates.ts";
import {
  activityIn,
  addActivity,
  bucketOf,
  newestBucket,
  oldestBucket,
  purgeActivity,
  startOf,
} from "../../journal/activity-table.ts";
import { parseDeliveries } from "../../journal/journal-rows.ts";
import { newestSeq, scanDown } from "../../journal/read.ts";
import { retentionOf } from "../../model/config.ts";
import { acceptedAt } from "../../model/delivery-state.ts";
import type { EngineContext } from "../../model/dependencies.ts";
import type { Delivery } from "../../model/journal-types.ts";
import type { Observation } from "../../model/observation.ts";
import { createPending } from "./activity-sums.ts";
import {
  type ActivityQuery,
  DAY_OF_BUCKETS,
  factsOf,
  listActivity,
  type ShownActivity,
  type SourceFacts,
} from "./list.ts";

const MAX_RECOVERED = 5_000;
/** Milliseconds. */
const LOOK_BACK = HOUR_MS;

/**
 * Counts activity per source and five minutes. Counts that are shown are stored before, so they never go back. Other
 * lost ones are recovered from the journal, except duplicates.
 */
export const createActivity = (deps: EngineContext) => {
  const { sql } = deps.disk;
  const pending = createPending();
  const startedAt = deps.now();
  const lastSeq = newestSeq(sql);
  let recovered = false;

  const settled = (seq: number, source: string, delivery: Delivery): void =>
    pending.settled(source, delivery, delivery.settledAt ?? deps.now(), acceptedAt(seq));

  const recover = (): void => {
    if (recovered) return;
    recovered = true;
    // The newest bucket may have been stored before its end.
    const newest = newestBucket(sql) ?? 0;
    const from = startOf(newest);
    const found = createPending();
    for (const { seq, source, deliveries: json } of scanDown(sql, lastSeq + 1, MAX_RECOVERED)) {
      const accepted = acceptedAt(seq);
      if (accepted < from - LOOK_BACK) break;
      const deliveries = parseDeliveries(json) ?? [];
      if (accepted >= from) found.accepted(source, accepted, deliveries[0]?.lane !== "backfill");
      for (const delivery of deliveries) {
        const at = delivery.settledAt ?? 0;
        if (at >= from && at <= startedAt) found.settled(source, delivery, at, accepted);
      }
    }
    found.subtract(newest, (source) => activityIn(sql, { bucket: newest, source }));
    for (const row of found.rows()) pending.add(row);
  };

  /** Stores what is about to be shown. */
  const keep = (): void => {
    recover();
    const rows = pending.rows();
    if (rows.length > 0) deps.disk.transactionSync(() => addActivity(sql, rows));
    pending.clear();
  };

  const flush = (): void => {
    recover();
    const current = bucketOf(deps.now());
    const oldest = bucketOf(deps.now() - retentionOf(deps.env));
    const over = pending.rows().filter(({ bucket }) => bucket < current && bucket >= oldest);
    if (over.length > 0) deps.disk.transactionSync(() => addActivity(sql, over));
    pending.drop(current);
  };
  let flushedIn = bucketOf(startedAt);

  return {
    observe: (observation: Observation): void => {
      if (observation.kind === "webhooks") {
        for (const { seq, source, lane, duplicate, deliveries, completes } of observation.webhooks) {
          if (duplicate) pending.duplicate(source, deps.now());
          else if (!completes) pending.accepted(source, acceptedAt(seq), lane !== "backfill");
          for (const delivery of deliveries) settled(seq, source, delivery);
        }
      } else if (observation.kind === "delivery") settled(observation.seq, observation.source, observation.delivery);
      else return;
      if (bucketOf(deps.now()) === flushedIn) return;
      flushedIn = bucketOf(deps.now());
      flush();
    },
    flush,
    /** Newest first. `next`: the `until` of the next page. */
    list: (query: ActivityQuery): { activity: ShownActivity[]; next?: number } => {
      keep();
      return listActivity(sql, query);
    },
    facts: (): Record<string, SourceFacts> => {
      keep();
      return factsOf(sql, bucketOf(deps.now()) - DAY_OF_BUCKETS);
    },
    purge: (before: number, limit: number): number => purgeActivity(sql, before, limit),
    /** Unix ms when the oldest row exceeds the retention. */
    oldestEnds: (): number => {
      const oldest = oldestBucket(sql);
      return oldest === undefined ? Number.POSITIVE_INFINITY : startOf(oldest + 1) + retentionOf(deps.env);
    },
  };
};
