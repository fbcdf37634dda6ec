/**
 * How many calls may be open. An open call takes 480 to 660 bytes of memory, and an object has 128 MB: 160 000 calls take
 * at most 106 MB. `all`: calls of sources that are not paused, with `urgent` of them for urgent calls only. `paused`: calls of
 * paused sources. `share`: the part that one source may use of what the others leave. `least`: what each source may always use.
 */
export const ROOM = { all: 100_000, urgent: 10_000, paused: 60_000, share: 2 / 3, least: 500 };

/** Open calls, and how many of them are urgent. */
type Count = { readonly open: number; readonly urgent: number };

/** Open calls by source, without gateway requests, which belong to no source and have a bound of their own. */
export type OpenCalls = { total: Count; readonly bySource: Map<string, Count> };

/** A source's open calls, and how many it may have. */
export type Room = { used: number; room: number; paused: boolean };

type Counted = { readonly open: OpenCalls; readonly pausedSources: ReadonlySet<string> };

const NONE: Count = { open: 0, urgent: 0 };
const sum = (a: Count, b: Count): Count => ({ open: a.open + b.open, urgent: a.urgent + b.urgent });

export const createOpenCalls = (): OpenCalls => ({ total: NONE, bySource: new Map() });

/** Adds open calls of a source; negative numbers remove some. */
export const countOpen = (calls: OpenCalls, source: string, change: Count): void => {
  if (source === "") return;
  const count = sum(calls.bySource.get(source) ?? NONE, change);
  calls.total = sum(calls.total, change);
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

/** Open calls that share their room with those of this source. */
export const openBeside = ({ open: { total, bySource }, pausedSources }: Counted, source: string): number => {
  const paused = openOf(bySource, pausedSources).open;
  return pausedSources.has(source) ? paused : total.open - paused;
};

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
