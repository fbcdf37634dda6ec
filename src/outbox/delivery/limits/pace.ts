/**
 * Paces the starts of calls so that the host never counts more than `limit` arrivals in any 1 000 ms of its own clock.
 * Starts are even, `limit` per (1 000 + guard) ms. A stall anywhere between us and the host could still squeeze two
 * even starts together there, so arrivals are also counted by the latest moment each can have reached the host: an
 * answer that took longer than the quickest of late may have spent the excess under way, and a call that has not
 * answered yet may arrive now.
 */
export type Pace = {
  readonly limit: number;
  /** Ms that hold at most `limit` starts. */
  readonly window: number;
  starts: Start[];
  /** Recent answer times in ms. */
  latencies: number[];
  /** The next even start, Unix ms. */
  next: number;
};

export type Start = { at: number; answeredAt?: number };

/** Answer times that are remembered. */
const LATENCIES = 32;
/** A start this much late, in ms, does not make the one after it late too. The guard has room for twice as much. */
const LATE = 5;
/** Share of the guard by which an answer may be late before its call counts as one that came later. */
const ALLOWED = 0.9;
/** A call that has been on its way for longer, in ms, has arrived: what is late is the answer. */
const MAX_LATE = 2_000;

/**
 * @param guard ms of jitter allowed for: 20 beside the host, 100 over HTTPS
 * @param now after a restart nothing is known of earlier starts, except that they were even: one interval makes it safe
 * @param busy true where starts have just been made: a stall may have squeezed them together, so a whole window makes it safe
 */
export const createPace = (guard: number, now: number, busy = false, limit = 10): Pace => {
  const window = 1000 + guard;
  const starts = busy ? Array.from({ length: limit }, () => ({ at: now, answeredAt: now })) : [];
  return { limit, window, starts, latencies: [], next: now + window / limit };
};

/** Ms to wait before the next start may happen; 0 when it may happen now, never more than one window. */
export const waitFor = (pace: Pace, now: number): number => {
  const interval = pace.window / pace.limit;
  // A clock that was set back puts starts into the future: they count as made now, and no longer.
  pace.next = Math.min(pace.next, now + interval);
  for (const start of pace.starts) {
    if (start.at <= now) continue;
    start.at = now;
    if (start.answeredAt !== undefined) start.answeredAt = now;
  }
  const arrivals = pace.starts.map((start) => latestArrival(pace, start, now)).sort((a, b) => b - a);
  const full = (arrivals[pace.limit - 1] ?? Number.NEGATIVE_INFINITY) + pace.window - now;
  return Math.max(0, pace.next - now, full);
};

/** Takes a slot. The caller has made the claim durable and starts the call at once. */
export const take = (pace: Pace, now: number): Start => {
  const start: Start = { at: now };
  pace.next = Math.max(Math.min(pace.next, now), now - LATE) + pace.window / pace.limit;
  pace.starts = pace.starts.filter((s) => s.at <= now && latestArrival(pace, s, now) > now - pace.window);
  pace.starts.push(start);
  return start;
};

/** Notes that the call of a start was answered (or given up). */
export const answered = (pace: Pace, start: Start, now: number): void => {
  start.answeredAt = now;
  pace.latencies.push(Math.max(0, now - start.at));
  if (pace.latencies.length > LATENCIES) pace.latencies.shift();
};

const latestArrival = (pace: Pace, start: Start, now: number): number => {
  const late = (start.answeredAt ?? now) - start.at - usual(pace);
  // Most of the guard is allowed for already: the window is that much longer than a second. The rest is for what the way
  // of the next call may be shorter than the usual one.
  const allowed = ALLOWED * (pace.window - 1000);
  return Math.min(now, start.at + Math.min(Math.max(0, late - allowed), MAX_LATE));
};

/**
 * What the host itself takes: the median answer of late (a stall holds up six calls at most), the quickest while there
 * are few. Only what an answer took beyond that may have been spent on the way.
 */
const usual = ({ latencies }: Pace): number => {
  const sorted = [...latencies].sort((a, b) => a - b);
  return sorted[sorted.length < 16 ? 0 : Math.floor(sorted.length / 2)] ?? 0;
};
