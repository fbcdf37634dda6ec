/**
 * Estimates how far the service clock is ahead, in ms. `Date` has whole seconds, so a fitting old value stays.
 * All times are Unix ms.
 */
export const aheadWith = (known: number, date: number, asked: number, answered: number): number =>
  Number.isNaN(date) ? known : Math.max(date - answered, Math.min(known, date + 1_000 - asked));

let ahead = 0;

/** Starts timing a request. The returned function takes the `Date` of the answer. */
export const timed = (): ((date: string | null) => void) => {
  const asked = Date.now();
  return (date) => {
    ahead = aheadWith(ahead, Date.parse(date ?? ""), asked, Date.now());
  };
};

/** Service time in Unix ms. A browser clock may be minutes off. */
export const serviceTime = (): number => Date.now() + ahead;
