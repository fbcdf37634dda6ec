/** A rate limit: at most `limit` requests in any time span [t, t + `windowMs`). */
export type Window = { limit: number; windowMs: number };

/** Result of `take`. `limit` and `remaining` are those of the tightest window. */
type Verdict = {
  ok: boolean;
  limit: number;
  remaining: number;
  /** Milliseconds until the next request is admitted; 0 unless this one was refused. */
  wait: number;
  /** Times of the admitted requests per window, oldest first, in Unix ms. Store them, also after a refusal. */
  hits: number[][];
};

/**
 * Admits or refuses one request in all given windows together. Exact, because the state holds the time of each of the
 * last `limit` admitted requests. A refused request is not counted.
 *
 * Where the clock was set back, times in the future count as now: the limit still holds, and a caller waits at most one
 * window.
 *
 * @param windows each with its admitted requests so far (`hits`), oldest first, in Unix ms
 * @param now Unix ms
 */
export const admit = (windows: readonly (Window & { hits: readonly number[] })[], now: number): Verdict => {
  const live = windows.map(({ limit, windowMs, hits }) => {
    const inside = hits.map((hit) => Math.min(hit, now)).filter((hit) => hit + windowMs > now);
    // In a full window, the limit-th request from the end must expire first.
    const blocking = inside.at(-limit);
    const wait = inside.length < limit || blocking === undefined ? 0 : blocking + windowMs - now;
    return { limit, inside, wait };
  });
  const ok = live.every(({ wait }) => wait === 0);
  const after = live.map(({ limit, inside, wait }) => ({
    limit,
    wait,
    hits: ok ? [...inside, now] : inside,
    remaining: Math.max(0, limit - inside.length - (ok ? 1 : 0)),
  }));
  const tight = after.reduce((a, b) => (b.remaining < a.remaining || b.wait > a.wait ? b : a));
  return {
    ok,
    limit: tight.limit,
    remaining: tight.remaining,
    wait: Math.max(...after.map(({ wait }) => wait)),
    hits: after.map(({ hits }) => hits),
  };
};
