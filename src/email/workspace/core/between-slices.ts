import type { Refusal } from "../../../lib/contract/errors.ts";

/** Slices of one request, of about 5 ms each. A request has 30 s: https://developers.cloudflare.com/workers/platform/limits/ */
export const MOST_SLICES = 2_000;

class TooManySlices extends Error {}

/** Lets other requests run between two slices of a request. Throws after 2 000 slices: see `inTime`. */
export const createPause = (): (() => Promise<void>) => {
  let left = MOST_SLICES;
  return async () => {
    left -= 1;
    if (left < 0) throw new TooManySlices();
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
};

/** Refuses a request that needs too many slices. */
export const inTime = async <T>(work: Promise<T> | T): Promise<T | { refusal: Refusal }> => {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof TooManySlices)) throw error;
    const message =
      "The team has too many rows to count them in one request. Ask for fewer: a shorter time, or a filter.";
    return { refusal: { code: "overloaded", message, retryAfter: 30 } };
  }
};

/** Waits for background work, at most `ms`. */
export const atMost = async (ms: number, work: Promise<void> | undefined): Promise<void> => {
  if (work) await Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms))]);
};
