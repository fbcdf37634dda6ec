import { minuteOf, type Refused } from "../outbox/journal/refusals.ts";

/** Milliseconds. */
const COLLECT = 5_000;

/** Counts refusals and sends them every few seconds. Timer and delivery belong to one request (`waitUntil`). */
export const createTally = (sleep: (ms: number) => Promise<void>) => {
  let counts = new Map<string, Refused>();
  let startedAt = Number.NEGATIVE_INFINITY;

  const merge = ({ minute, source, code, count, at = 0 }: Refused): void => {
    const key = JSON.stringify([minute, source, code]);
    const known = counts.get(key);
    counts.set(key, { minute, source, code, count: count + (known?.count ?? 0), at: Math.max(at, known?.at ?? 0) });
  };
  const passOn = async (send: (refused: Refused[]) => Promise<unknown>): Promise<void> => {
    await sleep(COLLECT);
    const collected = [...counts.values()];
    counts = new Map();
    startedAt = Number.NEGATIVE_INFINITY;
    try {
      if (collected.length > 0) await send(collected);
    } catch {
      // The Outbox may have stored them, but counting twice is better than losing them.
      for (const refused of collected) merge(refused);
    }
  };
  return {
    /** @param waitUntil without it, counts wait for a request that has one */
    add: (
      source: string,
      code: string,
      now: number,
      waitUntil: ((work: Promise<void>) => void) | undefined,
      send: (refused: Refused[]) => Promise<unknown>,
    ): void => {
      merge({ minute: minuteOf(now), source, code, count: 1, at: now });
      if (!waitUntil || now < startedAt + 2 * COLLECT) return;
      startedAt = now;
      waitUntil(passOn(send));
    },
  };
};
