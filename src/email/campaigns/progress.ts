/** `perSecond`: recipients; `doneAt`: Unix ms. Both are null while they cannot be told. */
type Pace = { perSecond: number | null; doneAt: number | null };

/**
 * How fast a campaign that is sending goes, and when it will be done at this rate. Times are Unix ms. `since`: its start, or the last
 * time that it was resumed. `done`: recipients with a result since then, and `left`: those without one, also the ones that will be skipped.
 */
export const paceOf = ({ since, done, left }: { since: number; done: number; left: number }, now: number): Pace => {
  const seconds = (now - since) / 1_000;
  if (seconds <= 0 || done <= 0) return { perSecond: null, doneAt: null };
  const perSecond = done / seconds;
  return { perSecond, doneAt: Math.round(now + (left / perSecond) * 1_000) };
};
