import type { Planned } from "./plan.ts";
import { type Made, make } from "./webhooks.ts";

/** A webhook that was sent. `accepted`: when it was answered 2xx for the first time, ms since the start. */
export type Sent = Planned & Made & { requests: number; accepted?: number };

/** Ms a provider waits for an answer. */
const PATIENCE = 10_000;
/** Ms after a webhook without a 2xx answer, times the number of requests so far. */
const AGAIN = 400;
const MOST_AGAIN = 3_000;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Sends the webhooks as their providers do: each at its time, and again until it is answered 2xx. Some are sent once more
 * after that.
 *
 * @param bridge the address of the bridge now; undefined while it does not run
 * @param over ends it early
 */
export const sendAll = (planned: readonly Planned[], bridge: () => string | undefined, over: AbortSignal) => {
  const base = Date.now() - planned.length * 1000 - 60_000;
  const started = performance.now();
  const sent: Sent[] = [];

  const post = async (one: Sent): Promise<boolean> => {
    const url = bridge();
    one.requests++;
    if (url === undefined) return false;
    try {
      const response = await fetch(`${url}/hooks/${one.source}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...one.headers },
        body: one.payload,
        signal: AbortSignal.timeout(PATIENCE),
      });
      await response.arrayBuffer();
      if (response.ok) one.accepted ??= performance.now() - started;
      return response.ok;
    } catch {
      return false;
    }
  };
  const deliver = async (webhook: Planned): Promise<void> => {
    await sleep(webhook.at);
    const one: Sent = { ...webhook, ...make(webhook, base), requests: 0 };
    sent.push(one);
    while (!over.aborted && !(await post(one))) await sleep(Math.min(MOST_AGAIN, AGAIN * one.requests));
    if (webhook.again === undefined || over.aborted) return;
    await sleep(webhook.again);
    await post(one);
  };
  return { sent, done: Promise.all(planned.map(deliver)) };
};
