/** Milliseconds that a failed write is a reason of health. */
const KEPT = 300_000;

/** Times of failed commits in this isolate. An object that failed may have lost its memory. */
const createFailedWrites = () => {
  let newest = Number.NEGATIVE_INFINITY;
  return {
    /** `at`: Unix ms. */
    note(at: number): void {
      newest = at;
    },
    reasons: (now: number): string[] =>
      Math.abs(now - newest) < KEPT ? ["writes fail: a webhook could not be stored in the last five minutes"] : [],
  };
};

export const failedWrites = createFailedWrites();
