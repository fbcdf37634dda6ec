import type { Replayed } from "../../parts/ledger/types.ts";

type Counts = Record<string, number>;

const KEPT = 10;

const sum = (a: Counts, b: Counts): Counts => {
  const both = { ...a };
  for (const [name, count] of Object.entries(b)) both[name] = (both[name] ?? 0) + count;
  return both;
};

/** Adds two slices; the second one's end is the next start. */
export const added = (a: Replayed, b: Replayed): Replayed => ({
  dryRun: b.dryRun,
  actions: b.actions,
  webhooks: a.webhooks + b.webhooks,
  deliveries: a.deliveries + b.deliveries,
  byAction: sum(a.byAction, b.byAction),
  byRule: sum(a.byRule, b.byRule),
  notMade: sum(a.notMade, b.notMade),
  notReplayable: sum(a.notReplayable, b.notReplayable),
  failed: [...a.failed, ...b.failed].slice(0, KEPT),
  examples: [...a.examples, ...b.examples].slice(0, KEPT),
  next: b.next,
  searchedTo: b.searchedTo,
});
