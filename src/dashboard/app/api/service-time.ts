/**
 * How far the service's clock is ahead of the browser's, in ms. An answer's `Date` has whole seconds, and was written between `asked` and `answered`:
 * what was known before stays where it fits. All in Unix ms.
 */
export const aheadWith = (known: number, date: number, asked: number, answered: number): number =>
  Number.isNaN(date) ? known : Math.max(date - answered, Math.min(known, date + 1_000 - asked));

let ahead = 0;

/** Begins a request: what it returns takes the `Date` of the answer. */
export const timed = (): ((date: string | null) => void) => {
  const asked = Date.now();
  return (date) => {
    ahead = aheadWith(ahead, Date.parse(date ?? ""), asked, Date.now());
  };
};

/** The service's time, in Unix ms: the clock of a browser may be minutes off. */
export const serviceTime = (): number => Date.now() + ahead;
