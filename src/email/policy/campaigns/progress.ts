/** Null means unknown. `perSecond` counts recipients; `doneAt` is Unix ms. */
type Pace = { perSecond: number | null; doneAt: number | null };

type Moved = { since: number; done: number; left: number; lastAt: number; isFull: boolean };

/**
 * Estimates rate and end of a campaign (Unix ms). `since` is the start or resume; `left` includes skipped recipients.
 * `isFull` means the send limits block all mail, so the rate is unreliable.
 */
export const paceOf = ({ since, done, left, lastAt, isFull }: Moved, now: number): Pace => {
  const seconds = (now - since) / 1_000;
  const perSecond = seconds > 0 && done > 0 ? done / seconds : null;
  if (isFull && left > 0) return { perSecond, doneAt: lastAt };
  if (perSecond === null) return { perSecond, doneAt: null };
  return { perSecond, doneAt: Math.max(lastAt, Math.round(now + (left / perSecond) * 1_000)) };
};
