import type { Refusal } from "../../../lib/contract/errors.ts";

/** Ms; a request has 30 s, and may count twice: https://developers.cloudflare.com/workers/platform/limits/ */
const PATIENCE_MS = 12_000;

class TooSlow extends Error {}

/** Lets other requests run between two slices of a request. Throws after 12 s: see `inTime`. */
export const createPause = (): (() => Promise<void>) => {
  const until = Date.now() + PATIENCE_MS;
  return async () => {
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (Date.now() > until) throw new TooSlow();
  };
};

/** Refuses a request that took too many slices. */
export const inTime = async <T>(work: Promise<T> | T): Promise<T | { refusal: Refusal }> => {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof TooSlow)) throw error;
    const message = `The rows were not counted within ${PATIENCE_MS / 1_000} s. Ask again later, or for less.`;
    return { refusal: { code: "overloaded", message, retryAfter: 30 } };
  }
};

/** Waits for background work, at most `ms`. */
export const atMost = async (ms: number, work: Promise<void> | undefined): Promise<void> => {
  if (work) await Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms))]);
};
