/** A limit: never more than `limit` in any span [t, t + `windowMs`). */
export type Window = { limit: number; windowMs: number };

/** Verdict of `take`. `limit` and `remaining` are those of the tighter window. */
type Verdict = {
  ok: boolean;
  limit: number;
  remaining: number;
  /** ms until the next one is admitted: 0 unless refused. */
  wait: number;
  /** What each window has admitted, oldest first, in Unix ms: store it, also after a refusal. */
  hits: number[][];
};

/**
 * Admits or refuses one request in all of the given windows at once. Exact: the times of the last `limit` admitted
 * requests are the state. A refused request counts in none.
 *
 * A clock that has stepped back leaves times in the future; they are taken as now, which errs towards the limit and
 * locks nobody out for longer than one window.
 *
 * @param windows each with the hits it has admitted so far, oldest first, in Unix ms
 * @param now Unix ms
 */
export const take = (windows: readonly (Window & { hits: readonly number[] })[], now: number): Verdict => {
  const live = windows.map(({ limit, windowMs, hits }) => {
    const inside = hits.map((hit) => Math.min(hit, now)).filter((hit) => hit + windowMs > now);
    // Full: the one that must leave first is the limit-th from the end.
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
