/** At most `limit` requests in any time span [t, t + `windowMs`). */
export type Window = { limit: number; windowMs: number };

type Verdict = {
  ok: boolean;
  limit: number;
  remaining: number;
  /** Milliseconds until the next request; 0 if admitted. */
  wait: number;
  /** Admitted requests per window, oldest first, in Unix ms. Store them also after a refusal. */
  hits: number[][];
};

/**
 * Admits or refuses a request in all windows; exact. Refused requests do not count. After a clock change, future
 * times count as now.
 *
 * @param windows `hits`: oldest first, in Unix ms
 * @param now Unix ms
 */
export const admit = (windows: readonly (Window & { hits: readonly number[] })[], now: number): Verdict => {
  const live = windows.map(({ limit, windowMs, hits }) => {
    const inside = hits.map((hit) => Math.min(hit, now)).filter((hit) => hit + windowMs > now);
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
