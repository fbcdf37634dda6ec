/**
 * How many calls may be open. An open call takes 480 to 660 bytes of memory, and an object has 128 MB: 160 000 calls take
 * at most 106 MB. `all`: calls of sources that are not paused, with `urgent` of them for urgent calls only. `paused`: calls of
 * paused sources. `share`: the part that one source may use of what the others leave. `least`: what each source may always use.
 */
export const ROOM = { all: 100_000, urgent: 10_000, paused: 60_000, share: 2 / 3, least: 500 };

/** Open calls, how many of them are urgent, and how many wait for an identity link. */
type Count = { readonly open: number; readonly urgent: number; readonly forIdentity: number };

/** Open calls by source, without gateway requests, which belong to no source and have a bound of their own. */
export type OpenCalls = { total: Count; readonly bySource: Map<string, Count> };

/** A source's open calls, and how many it may have. */
export type Room = { used: number; room: number; paused: boolean };

type Counted = { readonly open: OpenCalls; readonly pausedSources: ReadonlySet<string> };

const NONE: Count = { open: 0, urgent: 0, forIdentity: 0 };
const sum = (a: Count, b: Count): Count => ({
  open: a.open + b.open,
  urgent: a.urgent + b.urgent,
  forIdentity: a.forIdentity + b.forIdentity,
});

export const createOpenCalls = (): OpenCalls => ({ total: NONE, bySource: new Map() });

/** Adds open calls of a source; negative numbers remove some. */
export const countOpen = (calls: OpenCalls, source: string, change: Partial<Count>): void => {
  if (source === "") return;
  const by = { ...NONE, ...change };
  const count = sum(calls.bySource.get(source) ?? NONE, by);
  calls.total = sum(calls.total, by);
  if (count.open === 0) calls.bySource.delete(source);
  else calls.bySource.set(source, count);
};

/**
 * The room of a source: a share of what the other sources leave, so that neither one source nor several can take all of it.
 * Paused sources share a room of their own. Costs one step for each paused source.
 *
 * @param urgent the room for urgent calls, of which no other call takes the reserve
 */
export const roomOf = ({ open: { total, bySource }, pausedSources }: Counted, source: string, urgent = false): Room => {
  const own = bySource.get(source) ?? NONE;
  const paused = openOf(bySource, pausedSources);
  const isPaused = pausedSources.has(source);
  // More calls may be paused than fit in that room: those that were open already when a person paused their source.
  const live = total.open - Math.min(paused.open, ROOM.paused);
  const liveUrgent = total.urgent - paused.urgent;
  const [used, left] = isPaused
    ? [own.open, ROOM.paused - (paused.open - own.open)]
    : urgent
      ? [own.urgent, Math.max(ROOM.urgent, ROOM.all - (live - liveUrgent)) - (liveUrgent - own.urgent)]
      : [own.open, ROOM.all - ROOM.urgent - (live - own.open)];
  return { used, room: Math.max(ROOM.least, Math.floor(left * ROOM.share)), paused: isPaused };
};

/** Open calls that share their room with those of this source, and how many of them wait for an identity link. */
export const openBeside = (
  { open: { total, bySource }, pausedSources }: Counted,
  source: string,
): Omit<Count, "urgent"> => {
  const paused = openOf(bySource, pausedSources);
  return pausedSources.has(source)
    ? { open: paused.open, forIdentity: paused.forIdentity }
    : { open: total.open - paused.open, forIdentity: total.forIdentity - paused.forIdentity };
};

/**
 * Open calls above which a backfill or a bulk action is refused: live webhooks keep their room. Calls that wait for an identity
 * link have a bound of their own, because the backfill may bring that link.
 */
const MAX_FOR_BULK = { sendable: 20_000, forIdentity: 40_000 };

/** True while a backfill or a bulk action may add calls to these. */
export const leavesRoomForBulk = ({ open, forIdentity }: Omit<Count, "urgent">): boolean =>
  open - forIdentity < MAX_FOR_BULK.sendable && forIdentity < MAX_FOR_BULK.forIdentity;

/** The size of a backlog, in words. */
export const backlogText = ({ open, forIdentity }: Omit<Count, "urgent">): string =>
  `${open} calls${forIdentity > 0 ? `, ${forIdentity} of them waiting for an identity link` : ""}`;

/** The rooms of all sources with open calls, the fullest first. */
export const rooms = (counted: Counted): (Room & { source: string })[] =>
  [...counted.open.bySource.keys()]
    .map((source) => ({ source, ...roomOf(counted, source) }))
    .sort((a, b) => fillOf(b) - fillOf(a));

/** How full a room is: 1 when it is full. */
export const fillOf = ({ used, room }: Room): number => used / room;

/** The share of its room from which a source is about to be refused. */
export const NEARLY_FULL = 0.8;

const openOf = (bySource: ReadonlyMap<string, Count>, sources: ReadonlySet<string>): Count => {
  let all = NONE;
  for (const source of sources) all = sum(all, bySource.get(source) ?? NONE);
  return all;
};
