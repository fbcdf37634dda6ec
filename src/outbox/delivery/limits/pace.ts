/**
 * Spaces requests so that the host never counts more than `limit` arrivals in any 1 000 ms of its own clock. Starts are
 * evenly spaced, `limit` per (1 000 + guard) ms. A stall between the bridge and the host could still make two requests
 * arrive together. So arrivals are also counted by the latest moment at which each can have reached the host: a request
 * whose answer took longer than usual may have spent the extra time on its way, and one without an answer may arrive now.
 */
export type Pace = {
  readonly limit: number;
  /** Ms in which at most `limit` starts are allowed. */
  readonly window: number;
  starts: Start[];
  /** Recent answer times in ms. */
  latencies: number[];
  /** The next evenly spaced start, Unix ms. */
  next: number;
  /** What the host's newest answer said is left of its own limit. It is only shown. */
  remaining?: number;
  /** Starts of the last minute, by Unix second. */
  readonly seconds: Map<number, number>;
};

export type Start = { at: number; answeredAt?: number };

/** Number of answer times that are remembered. */
const LATENCIES = 32;
/** Number of answer times from which the usual one is known. */
const ENOUGH = 16;
/** A start that is late by up to this many ms does not delay the next one. The guard has room for twice as much. */
const LATE = 5;
/**
 * Share of the guard by which an answer may be late before its request counts as a later arrival. The rest of the guard is for
 * an answer that came quicker than usual, such as a page of an edge: its request may have spent that time on its way too.
 */
const ALLOWED = 0.6;
/** Longest time in ms a request can be on its way. After that only its answer is late. */
const MAX_LATE = 2_000;

/**
 * @param guard ms of jitter to allow for: 20 beside the host, 100 over HTTPS
 * @param now start of the process; earlier starts were evenly spaced, so the first start waits one interval
 * @param unanswered given when requests were sent just before: the number of those without an answer. A stall may delay
 *   all of them, so the first start waits a whole window. The ones without an answer may arrive later still
 */
export const createPace = (guard: number, now: number, unanswered?: number, limit = 10): Pace => {
  const window = 1000 + guard;
  const earlier = (_: unknown, n: number): Start =>
    n < (unanswered ?? 0) ? { at: now } : { at: now, answeredAt: now };
  const starts = unanswered === undefined ? [] : Array.from({ length: limit }, earlier);
  return { limit, window, starts, latencies: [], next: now + window / limit, seconds: new Map() };
};

/** Ms to wait before the next start may happen; 0 when it may happen now, never more than one window. */
export const waitFor = (pace: Pace, now: number): number => {
  const interval = pace.window / pace.limit;
  // After the clock was set back, starts are in the future. They count as made now.
  pace.next = Math.min(pace.next, now + interval);
  for (const start of pace.starts) {
    if (start.at <= now) continue;
    start.at = now;
    if (start.answeredAt !== undefined) start.answeredAt = now;
  }
  const latest = latestArrivals(pace, now);
  const arrivals = pace.starts.map(latest).sort((a, b) => b - a);
  const full = (arrivals[pace.limit - 1] ?? Number.NEGATIVE_INFINITY) + pace.window - now;
  return Math.max(0, pace.next - now, full);
};

/** Takes a slot. The caller has made the claim durable and sends the request at once. */
export const take = (pace: Pace, now: number): Start => {
  const start: Start = { at: now };
  pace.next = Math.max(Math.min(pace.next, now), now - LATE) + pace.window / pace.limit;
  const latest = latestArrivals(pace, now);
  pace.starts = pace.starts.filter((s) => s.at <= now && latest(s) > now - pace.window);
  pace.starts.push(start);
  countStart(pace.seconds, now);
  return start;
};

/** Seconds whose starts are remembered. */
const REMEMBERED = 60;

const countStart = (seconds: Map<number, number>, now: number): void => {
  const second = Math.floor(now / 1000);
  if (!seconds.has(second))
    for (const old of seconds.keys()) if (Math.abs(second - old) > REMEMBERED) seconds.delete(old);
  seconds.set(second, (seconds.get(second) ?? 0) + 1);
};

/** How many requests started in each of the last 60 whole seconds, oldest first. */
export const startsBySecond = ({ seconds }: Pace, now: number): number[] => {
  const first = Math.floor(now / 1000) - REMEMBERED;
  return Array.from({ length: REMEMBERED }, (_, n) => seconds.get(first + n) ?? 0);
};

/** Records that a request was answered, or that it timed out. */
export const answered = (pace: Pace, start: Start, now: number): void => {
  start.answeredAt = now;
  pace.latencies.push(Math.max(0, now - start.at));
  if (pace.latencies.length > LATENCIES) pace.latencies.shift();
};

/** Gives the latest moment at which the request of a start can have reached the host. */
const latestArrivals = (pace: Pace, now: number): ((start: Start) => number) => {
  const expected = usual(pace);
  const allowed = ALLOWED * (pace.window - 1000);
  return ({ at, answeredAt = now }) =>
    Math.min(now, at + Math.min(Math.max(0, answeredAt - at - expected - allowed), MAX_LATE));
};

/**
 * The usual answer time: the median of the recent ones (a stall delays six requests at most), or 0 while there are few: the
 * first ones may all be those of a stall. Only the time beyond it may have been spent on the way.
 */
const usual = ({ latencies }: Pace): number => {
  if (latencies.length < ENOUGH) return 0;
  return [...latencies].sort((a, b) => a - b)[Math.floor(latencies.length / 2)] ?? 0;
};
