import { minuteOf, type Refused } from "../outbox/journal/refusals.ts";

/** Ms that refusals are gathered in before they go to the Outbox, all in one call. */
const GATHER = 5_000;
/** The name that webhooks for sources there are not count under: strangers must not make up rows. */
export const UNKNOWN = "(unknown)";

/**
 * Counts refusals in this isolate and hands them over every few seconds, so that a flood of them is a trickle of calls.
 *
 * What is gathered is plain numbers. The timer and the call belong to the request that began to gather and live as long
 * as it does (`waitUntil`); no other request waits for them. Should that request die, the next refusal begins anew.
 */
export const createTally = (sleep: (ms: number) => Promise<void>) => {
  let counts = new Map<string, Refused>();
  let closesAt = Number.NEGATIVE_INFINITY;

  const add = ({ minute, source, code, count }: Refused): void => {
    const key = JSON.stringify([minute, source, code]);
    counts.set(key, { minute, source, code, count: count + (counts.get(key)?.count ?? 0) });
  };
  const handOver = async (send: (refused: Refused[]) => Promise<unknown>): Promise<void> => {
    await sleep(GATHER);
    const gathered = [...counts.values()];
    counts = new Map();
    closesAt = Number.NEGATIVE_INFINITY;
    try {
      if (gathered.length > 0) await send(gathered);
    } catch {
      // Rather counted twice than forgotten: the Outbox may have written them before it failed.
      for (const refused of gathered) add(refused);
    }
  };
  return {
    /**
     * @param waitUntil of this request's context; without one they wait for a request that has one
     * @param send hands over to the Outbox, through this request's own bindings
     */
    note: (
      source: string,
      code: string,
      now: number,
      waitUntil: ((work: Promise<void>) => void) | undefined,
      send: (refused: Refused[]) => Promise<unknown>,
    ): void => {
      add({ minute: minuteOf(now), source, code, count: 1 });
      if (!waitUntil || now < closesAt + GATHER) return;
      closesAt = now + GATHER;
      waitUntil(handOver(send));
    },
  };
};
