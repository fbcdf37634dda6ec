/**
 * An open delivery takes 480 to 660 bytes of 128 MB: 160 000 take at most 106 MB. `urgent` is part of `all`.
 * `share`: a source's part of the remaining limit. `least`: its guaranteed part.
 */
export const QUOTA = { all: 100_000, urgent: 10_000, paused: 60_000, share: 2 / 3, least: 500 };

type Count = { readonly open: number; readonly urgent: number; readonly forIdentity: number };

/** Open deliveries by source, without gateway requests. */
export type OpenDeliveries = { total: Count; readonly bySource: Map<string, Count> };

export type Quota = { used: number; quota: number; paused: boolean };

type Counted = { readonly open: OpenDeliveries; readonly pausedSources: ReadonlySet<string> };

const NONE: Count = { open: 0, urgent: 0, forIdentity: 0 };
const sum = (a: Count, b: Count): Count => ({
  open: a.open + b.open,
  urgent: a.urgent + b.urgent,
  forIdentity: a.forIdentity + b.forIdentity,
});

export const createOpenDeliveries = (): OpenDeliveries => ({ total: NONE, bySource: new Map() });

/** Adds open deliveries of a source; negative numbers remove. */
export const countOpen = (deliveries: OpenDeliveries, source: string, change: Partial<Count>): void => {
  if (source === "") return;
  const by = { ...NONE, ...change };
  const count = sum(deliveries.bySource.get(source) ?? NONE, by);
  deliveries.total = sum(deliveries.total, by);
  if (count.open === 0) deliveries.bySource.delete(source);
  else deliveries.bySource.set(source, count);
};

/**
 * Returns a source's backlog limit. Paused sources share another limit.
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
  // More deliveries may be paused than the limit: those open before the pause.
  const live = total.open - Math.min(paused.open, QUOTA.paused);
  const liveUrgent = total.urgent - paused.urgent;
  const [used, left] = isPaused
    ? [own.open, QUOTA.paused - (paused.open - own.open)]
    : urgent
      ? [own.urgent, Math.max(QUOTA.urgent, QUOTA.all - (live - liveUrgent)) - (liveUrgent - own.urgent)]
      : [own.open, QUOTA.all - QUOTA.urgent - (live - own.open)];
  return { used, quota: Math.max(QUOTA.least, Math.floor(left * QUOTA.share)), paused: isPaused };
};

/** Counts open deliveries under the same limit. */
export const openBeside = (
  { open: { total, bySource }, pausedSources }: Counted,
  source: string,
): Omit<Count, "urgent"> => {
  const paused = openOf(bySource, pausedSources);
  return pausedSources.has(source)
    ? { open: paused.open, forIdentity: paused.forIdentity }
    : { open: total.open - paused.open, forIdentity: total.forIdentity - paused.forIdentity };
};

/** `forIdentity` is separate, because a backfill may bring the link. */
const MAX_FOR_BULK = { sendable: 20_000, forIdentity: 40_000 };

export const leavesRoomForBulk = ({ open, forIdentity }: Omit<Count, "urgent">): boolean =>
  open - forIdentity < MAX_FOR_BULK.sendable && forIdentity < MAX_FOR_BULK.forIdentity;

export const backlogText = ({ open, forIdentity }: Omit<Count, "urgent">): string =>
  `${open} deliveries${forIdentity > 0 ? `, ${forIdentity} of them waiting for an identity link` : ""}`;

/** Lists backlog limits of all sources with open deliveries, fullest first. */
export const quotas = (counted: Counted): (Quota & { source: string })[] =>
  [...counted.open.bySource.keys()]
    .map((source) => ({ source, ...quotaOf(counted, source) }))
    .sort((a, b) => fillOf(b) - fillOf(a));

/** Returns the fill; 1 is full. */
export const fillOf = ({ used, quota }: Quota): number => used / quota;

export const NEARLY_FULL = 0.8;

const openOf = (bySource: ReadonlyMap<string, Count>, sources: ReadonlySet<string>): Count => {
  let all = NONE;
  for (const source of sources) all = sum(all, bySource.get(source) ?? NONE);
  return all;
};
