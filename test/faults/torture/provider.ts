import type { Planned } from "./plan.ts";
import { type Made, make } from "./webhooks.ts";

/** A sent webhook. `accepted`: its first 2xx answer, ms since the start. */
export type Sent = Planned & Made & { requests: number; accepted?: number };

/** Ms a provider waits for an answer. */
const PATIENCE = 10_000;
/** Ms until a webhook without a 2xx answer is sent again, times the requests so far. */
const AGAIN = 400;
const MOST_AGAIN = 3_000;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Sends the webhooks as their providers do: on time, and again until a 2xx answer.
 *
 * @param bridge address of the running bridge
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
