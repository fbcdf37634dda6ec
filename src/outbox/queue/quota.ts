import type { Lane } from "../model/journal-types.ts";

/**
 * Webhooks with open deliveries. `urgent` is part of `all`. `share`: a source's part of the remaining limit. `least`: its
 * guaranteed part.
 */
export const QUOTA = { all: 100_000, urgent: 10_000, paused: 60_000, share: 2 / 3, least: 500 };

/**
 * Open deliveries. One takes 300 to 600 bytes, three of a webhook 1 200, so these take at most 105 MB of 128. A source has
 * `share` of what others leave, `paused` while it is paused.
 */
export const MEMORY = { all: 240_000, share: 2 / 3, paused: 1 / 3, least: 1_500 };

/** `webhooks`: those with an open delivery; `urgent`: those with an open urgent one. The others count deliveries. */
type Count = { webhooks: number; urgent: number; deliveries: number; forIdentity: number };

/** Counts by source, without gateway requests. `perWebhook`, `urgentPerWebhook`: open deliveries by `seq`. */
export type OpenDeliveries = {
  readonly total: Count;
  readonly bySource: Map<string, Count>;
  readonly perWebhook: Map<number, number>;
  readonly urgentPerWebhook: Map<number, number>;
};

/** Webhooks. */
export type Quota = { used: number; quota: number; paused: boolean };

type Counted = {
  readonly open: Pick<OpenDeliveries, "total" | "bySource">;
  readonly pausedSources: ReadonlySet<string>;
};

const none = (): Count => ({ webhooks: 0, urgent: 0, deliveries: 0, forIdentity: 0 });
const NONE: Readonly<Count> = none();

const add = (count: Count, { webhooks = 0, urgent = 0, deliveries = 0, forIdentity = 0 }: Partial<Count>): void => {
  count.webhooks += webhooks;
  count.urgent += urgent;
  count.deliveries += deliveries;
  count.forIdentity += forIdentity;
};

export const createOpenDeliveries = (): OpenDeliveries => ({
  total: none(),
  bySource: new Map(),
  perWebhook: new Map(),
  urgentPerWebhook: new Map(),
});

/** Adds to the counts of a source; negative numbers remove. */
export const countOpen = (open: OpenDeliveries, source: string, change: Partial<Count>): void => {
  if (source === "") return;
  const count = open.bySource.get(source) ?? none();
  add(count, change);
  add(open.total, change);
  if (count.webhooks === 0 && count.deliveries === 0) open.bySource.delete(source);
  else open.bySource.set(source, count);
};

/** Counts a delivery that enters (1) or leaves (-1) the queue, and its webhook with the first and the last one. */
export const countDelivery = (
  open: OpenDeliveries,
  { source, seq, lane, waits }: { source: string; seq: number; lane: Lane; waits: boolean },
  by: 1 | -1,
): void => {
  if (source === "") return;
  const webhooks = countIn(open.perWebhook, seq, by);
  const urgent = lane === "urgent" ? countIn(open.urgentPerWebhook, seq, by) : 0;
  countOpen(open, source, { webhooks, urgent, deliveries: by, forIdentity: by * Number(waits) });
};

/** Counts webhooks that are in the journal, but not yet in the queue. They take room of every source. */
export const countUnread = (open: OpenDeliveries, webhooks: number): void => {
  add(open.total, { webhooks, deliveries: webhooks });
};

const countIn = (counts: Map<number, number>, seq: number, by: 1 | -1): number => {
  const before = counts.get(seq) ?? 0;
  if (before + by === 0) counts.delete(seq);
  else counts.set(seq, before + by);
  return before === 0 || before + by === 0 ? by : 0;
};

/**
 * Returns a source's backlog limit. Paused sources share another limit. Less memory for deliveries is expressed in
 * webhooks with as many deliveries as those of the source.
 *
 * @param urgent includes the reserve for urgent deliveries
 */
export const quotaOf = (
  { open: { total, bySource }, pausedSources }: Counted,
  source: string,
  urgent = false,
): Quota => {
  const own = bySource.get(source) ?? NONE;
  const paused = openOf(bySource, pausedSources);
  const isPaused = pausedSources.has(source);
  // More webhooks may be paused than the limit: those open before the pause.
  const live = total.webhooks - Math.min(paused.webhooks, QUOTA.paused);
  const liveUrgent = total.urgent - paused.urgent;
  const [used, left] = isPaused
    ? [own.webhooks, QUOTA.paused - (paused.webhooks - own.webhooks)]
    : urgent
      ? [own.urgent, Math.max(QUOTA.urgent, QUOTA.all - (live - liveUrgent)) - (liveUrgent - own.urgent)]
      : [own.webhooks, QUOTA.all - QUOTA.urgent - (live - own.webhooks)];
  const quota = Math.max(QUOTA.least, Math.floor(left * QUOTA.share));
  if (urgent && !isPaused) {
    // An urgent webhook has one delivery.
    const free = MEMORY.all + QUOTA.urgent - (total.deliveries - own.urgent);
    return { used, quota: Math.min(quota, Math.max(QUOTA.least, Math.floor(free * QUOTA.share))), paused: false };
  }
  const free = (MEMORY.all - (total.deliveries - own.deliveries)) * (isPaused ? MEMORY.paused : MEMORY.share);
  const filled = own.deliveries / Math.max(MEMORY.least, Math.floor(free));
  return { used, quota: filled === 0 ? quota : Math.min(quota, Math.floor(used / filled)), paused: isPaused };
};

type Backlog = Pick<Count, "deliveries" | "forIdentity">;

/** Counts open deliveries under the same limit. */
export const openBeside = ({ open: { total, bySource }, pausedSources }: Counted, source: string): Backlog => {
  const paused = openOf(bySource, pausedSources);
  return pausedSources.has(source)
    ? paused
    : { deliveries: total.deliveries - paused.deliveries, forIdentity: total.forIdentity - paused.forIdentity };
};

/** `forIdentity` is separate, because a backfill may bring the link. */
const MAX_FOR_BULK = { sendable: 20_000, forIdentity: 40_000 };

export const leavesRoomForBulk = ({ deliveries, forIdentity }: Backlog): boolean =>
  deliveries - forIdentity < MAX_FOR_BULK.sendable && forIdentity < MAX_FOR_BULK.forIdentity;

export const backlogText = ({ deliveries, forIdentity }: Backlog): string =>
  `${deliveries} deliveries${forIdentity > 0 ? `, ${forIdentity} of them waiting for an identity link` : ""}`;

/** Lists backlog limits of all sources with open deliveries, fullest first. */
export const quotas = (counted: Counted): (Quota & { source: string })[] =>
  [...counted.open.bySource.keys()]
    .map((source) => ({ source, ...quotaOf(counted, source) }))
    .sort((a, b) => fillOf(b) - fillOf(a));

/** Returns the fill; 1 is full. */
export const fillOf = ({ used, quota }: Quota): number => used / quota;

export const NEARLY_FULL = 0.8;

const openOf = (bySource: ReadonlyMap<string, Count>, sources: ReadonlySet<string>): Count => {
  const all = none();
  for (const source of sources) add(all, bySource.get(source) ?? NONE);
  return all;
};
