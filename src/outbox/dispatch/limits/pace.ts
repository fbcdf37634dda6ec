/**
 * Limits arrivals at the email service to `limit` in any 1 000 ms. Starts are spaced evenly over 1 000 + guard ms.
 * A slow response may mean a late arrival, so the latest possible arrivals are counted too.
 */
export type Pace = {
  readonly limit: number;
  readonly window: number;
  starts: Start[];
  /** Recent response times in ms. */
  latencies: number[];
  /** Unix ms. */
  next: number;
  /** Reported by the email service; only displayed. */
  remaining?: number;
  /** Starts of the last minute, by Unix second. */
  readonly seconds: Map<number, number>;
};

export type Start = { at: number; answeredAt?: number };

const LATENCIES = 32;
const ENOUGH = 16;
/** Milliseconds. The guard has room for twice as much. */
const LATE = 5;
/** Share of the guard for late responses. The rest covers unusually fast ones. */
const ALLOWED = 0.6;
/** Longest time in ms before a request arrives. After that only its response is late. */
const MAX_LATE = 2_000;

/**
 * @param guard jitter in ms: 20 beside the email service, 100 over HTTPS
 * @param earlier of the former process: requests without a response, which may arrive yet; `isFull` if it may have used
 *   all of the limit
 */
export const createPace = (
  guard: number,
  now: number,
  earlier = { unanswered: 0, isFull: false },
  limit = 10,
): Pace => {
  const window = 1000 + guard;
  const starts = Array.from(
    { length: earlier.isFull ? limit : earlier.unanswered },
    (_, n): Start => (n < earlier.unanswered ? { at: now } : { at: now, answeredAt: now }),
  );
  return { limit, window, starts, latencies: [], next: now + window / limit, seconds: new Map() };
};

/** Returns ms until the next start is allowed, at most one window. */
export const waitFor = (pace: Pace, now: number): number => {
  const interval = pace.window / pace.limit;
  // After the clock was set back, future starts count as made now.
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

/** Takes a slot. The caller has stored the claim and sends at once. */
export const take = (pace: Pace, now: number): Start => {
  const start: Start = { at: now };
  pace.next = Math.max(Math.min(pace.next, now), now - LATE) + pace.window / pace.limit;
  const latest = latestArrivals(pace, now);
  pace.starts = pace.starts.filter((s) => s.at <= now && latest(s) > now - pace.window);
  pace.starts.push(start);
  countStart(pace.seconds, now);
  return start;
};

const REMEMBERED = 60;

const countStart = (seconds: Map<number, number>, now: number): void => {
  const second = Math.floor(now / 1000);
  if (!seconds.has(second))
    for (const old of seconds.keys()) if (Math.abs(second - old) > REMEMBERED) seconds.delete(old);
  seconds.set(second, (seconds.get(second) ?? 0) + 1);
};

/** Counts the starts in each of the last 60 whole seconds, oldest first. */
export const startsBySecond = ({ seconds }: Pace, now: number): number[] => {
  const first = Math.floor(now / 1000) - REMEMBERED;
  return Array.from({ length: REMEMBERED }, (_, n) => seconds.get(first + n) ?? 0);
};

/** Records a response or a timeout. */
export const answered = (pace: Pace, start: Start, now: number): void => {
  start.answeredAt = now;
  pace.latencies.push(Math.max(0, now - start.at));
  if (pace.latencies.length > LATENCIES) pace.latencies.shift();
};

const latestArrivals = (pace: Pace, now: number): ((start: Start) => number) => {
  const expected = usual(pace);
  const allowed = ALLOWED * (pace.window - 1000);
  return ({ at, answeredAt = now }) =>
    Math.min(now, at + Math.min(Math.max(0, answeredAt - at - expected - allowed), MAX_LATE));
};

/** The median ignores a stall of six requests. It is 0 at first, when all may be stalled. */
const usual = ({ latencies }: Pace): number => {
  if (latencies.length < ENOUGH) return 0;
  return [...latencies].sort((a, b) => a - b)[Math.floor(latencies.length / 2)] ?? 0;
};
