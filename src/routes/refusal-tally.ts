import { minuteOf, type Refused } from "../outbox/journal/refusals.ts";

/** Ms for which refusals are collected before one call passes them to the Outbox. */
const COLLECT = 5_000;
/** Counts webhooks to unknown sources under one name, so that strangers cannot create rows. */
export const UNKNOWN = "(unknown)";

/**
 * Counts refusals in this isolate and passes them to the Outbox every few seconds, so that many refusals cause few calls.
 *
 * The counts are plain numbers. The timer and the call belong to the request that started the collection, and live as
 * long as that request (`waitUntil`); no other request waits for them. If that request dies, the next refusal starts a
 * new collection.
 */
export const createTally = (sleep: (ms: number) => Promise<void>) => {
  let counts = new Map<string, Refused>();
  let startedAt = Number.NEGATIVE_INFINITY;

  const merge = ({ minute, source, code, count }: Refused): void => {
    const key = JSON.stringify([minute, source, code]);
    counts.set(key, { minute, source, code, count: count + (counts.get(key)?.count ?? 0) });
  };
  const passOn = async (send: (refused: Refused[]) => Promise<unknown>): Promise<void> => {
    await sleep(COLLECT);
    const collected = [...counts.values()];
    counts = new Map();
    startedAt = Number.NEGATIVE_INFINITY;
    try {
      if (collected.length > 0) await send(collected);
    } catch {
      // Keep the counts: the Outbox may have stored them before it failed, but counting twice is better than losing them.
      for (const refused of collected) merge(refused);
    }
  };
  return {
    /**
     * Counts one refusal.
     * @param waitUntil of this request's context; without it, the counts wait for a request that has one
     * @param send passes the counts to the Outbox, through this request's own bindings
     */
    add: (
      source: string,
      code: string,
      now: number,
      waitUntil: ((work: Promise<void>) => void) | undefined,
      send: (refused: Refused[]) => Promise<unknown>,
    ): void => {
      merge({ minute: minuteOf(now), source, code, count: 1 });
      if (!waitUntil || now < startedAt + 2 * COLLECT) return;
      startedAt = now;
      waitUntil(passOn(send));
    },
  };
};
