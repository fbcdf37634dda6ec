import { type Activity, type ActivityRow, bucketOf, COUNTED, startOf } from "../../journal/activity-table.ts";
import type { Delivery } from "../../model/journal-types.ts";
import { reasons } from "../../model/reasons.ts";

export const noActivity = (): Activity => ({
  accepted: 0,
  duplicate: 0,
  done: 0,
  failed: 0,
  undecided: 0,
  skipped: 0,
  replaced: 0,
  receivedAt: null,
  times: {},
});

/** Each class is a quarter longer, so an error is at most one eighth. */
const GROWTH = Math.log(1.25);

/** Returns the class of a time in ms. */
const classOf = (ms: number): string => String(Math.floor(Math.log(Math.max(1, ms)) / GROWTH));

/** True for an event of a change that a webhook did not bring: each update of a subscription plans some. */
const isNoChange = ({ state, message }: Delivery): boolean =>
  state === "skipped" && message?.startsWith(reasons.byState) === true;

export const addTo = (sum: Activity, more: Activity): void => {
  for (const name of COUNTED) sum[name] += more[name];
  if (more.receivedAt !== null) sum.receivedAt = Math.max(sum.receivedAt ?? 0, more.receivedAt);
  for (const [name, count] of Object.entries(more.times)) sum.times[name] = (sum.times[name] ?? 0) + count;
};

/** Returns the quantile in ms, as the middle of its class; null if empty. */
export const quantile = (times: Activity["times"], share: number): number | null => {
  const classes = Object.entries(times)
    .map(([name, count]) => [Number(name), count] as const)
    .sort(([a], [b]) => a - b);
  const wanted = share * classes.reduce((sum, [, count]) => sum + count, 0);
  let seen = 0;
  for (const [at, count] of classes) {
    seen += count;
    if (seen >= wanted) return Math.round(Math.exp((at + 0.5) * GROWTH));
  }
  return null;
};

export const createPending = () => {
  const buckets = new Map<number, Map<string, Activity>>();
  const at = (ms: number, source: string): Activity => {
    const bucket = bucketOf(ms);
    const sources = buckets.get(bucket) ?? new Map<string, Activity>();
    buckets.set(bucket, sources);
    const activity = sources.get(source) ?? noActivity();
    sources.set(source, activity);
    return activity;
  };
  return {
    /** `isLive`: not from a backfill. */
    accepted: (source: string, ms: number, isLive: boolean): void => {
      const activity = at(ms, source);
      activity.accepted++;
      if (isLive) activity.receivedAt = Math.max(activity.receivedAt ?? 0, ms);
    },
    duplicate: (source: string, ms: number): void => {
      at(ms, source).duplicate++;
    },
    settled: (source: string, delivery: Delivery, ms: number, acceptedAt: number): void => {
      if (delivery.state === "sending" || delivery.state === "waiting" || isNoChange(delivery)) return;
      const activity = at(ms, source);
      activity[delivery.state]++;
      if (delivery.state !== "done") return;
      const name = classOf(ms - acceptedAt);
      activity.times[name] = (activity.times[name] ?? 0) + 1;
    },
    rows: (): ActivityRow[] =>
      [...buckets].flatMap(([bucket, sources]) =>
        [...sources].map(([source, activity]) => ({ bucket, source, ...activity })),
      ),
    /** Leaves of a source in a bucket what is not in `stored`. */
    subtract: (bucket: number, stored: (source: string) => Activity | undefined): void => {
      for (const [source, activity] of buckets.get(bucket) ?? []) {
        const known = stored(source);
        if (!known) continue;
        for (const name of COUNTED) activity[name] = Math.max(0, activity[name] - known[name]);
        for (const name of Object.keys(activity.times))
          activity.times[name] = Math.max(0, (activity.times[name] ?? 0) - (known.times[name] ?? 0));
      }
    },
    add: ({ bucket, source, ...activity }: ActivityRow): void => addTo(at(startOf(bucket), source), activity),
    clear: (): void => buckets.clear(),
    drop: (before: number): void => {
      for (const bucket of [...buckets.keys()]) if (bucket < before) buckets.delete(bucket);
    },
  };
};
