import type { Attempted, OutgoingBatch } from "../types/notifier.ts";
import { type Dependencies, post } from "./post.ts";

/** Requests to one endpoint at the same time. A Worker has six outgoing connections. */
const LANES = 4;
/** No request of a batch starts later than this after the batch, in ms. */
const START_WITHIN_MS = 20_000;
/** Answers after which the endpoint gets no more of this batch: it is gone, or asks for a pause. */
const STOPPING = new Set([410, 429, 503]);

const mustStop = (attempted: Attempted): boolean => "error" in attempted || STOPPING.has(attempted.status);

/** Posts the events of a batch, some at the same time. Leaves the rest out where the endpoint is slow or does not answer. */
export const deliverBatch = async (
  dependencies: Dependencies,
  { events, ...endpoint }: OutgoingBatch,
): Promise<Attempted[]> => {
  const until = dependencies.now() + START_WITHIN_MS;
  const waiting = [...events];
  const attempts: Attempted[] = [];
  const lane = async () => {
    while (dependencies.now() < until && !attempts.some(mustStop)) {
      const event = waiting.shift();
      if (!event) return;
      attempts.push(await post(dependencies, endpoint, event));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return attempts;
};
