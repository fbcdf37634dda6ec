/** `perSecond`: recipients; `doneAt`: Unix ms. Both are null while they cannot be told. */
type Pace = { perSecond: number | null; doneAt: number | null };

type Moved = { since: number; done: number; left: number; lastAt: number; isFull: boolean };

/**
 * How fast a campaign that is sending goes, and when it will be done at this rate. Times are Unix ms. `since`: its start, or the last
 * time that it was resumed. `done`: recipients with a result since then, and `left`: those without one, also the ones that will be skipped.
 * `lastAt`: when the send limits let the last one leave; while they let none leave (`isFull`), the rate says nothing about the rest.
 */
export const paceOf = ({ since, done, left, lastAt, isFull }: Moved, now: number): Pace => {
  const seconds = (now - since) / 1_000;
  const perSecond = seconds > 0 && done > 0 ? done / seconds : null;
  if (isFull && left > 0) return { perSecond, doneAt: lastAt };
  if (perSecond === null) return { perSecond, doneAt: null };
  return { perSecond, doneAt: Math.max(lastAt, Math.round(now + (left / perSecond) * 1_000)) };
};
