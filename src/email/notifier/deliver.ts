import type { Attempted, OutgoingBatch } from "../types/notifier-rpc.ts";
import { type Dependencies, post } from "./post.ts";

/** A Worker has six outgoing connections. */
const LANES = 4;
/** In ms, after the batch began. */
const START_WITHIN_MS = 20_000;
/** The endpoint is gone (410) or asks for a pause. */
const STOPPING = new Set([410, 429, 503]);

const mustStop = (attempted: Attempted): boolean => "error" in attempted || STOPPING.has(attempted.status);

/** Posts events in parallel. Skips the rest if the endpoint is slow, or the budget of this event is spent. */
export const deliverBatch = async (
  dependencies: Dependencies,
  { events, ...endpoint }: OutgoingBatch,
): Promise<Attempted[]> => {
  const until = dependencies.now() + START_WITHIN_MS;
  const waiting = [...events];
  const attempts: Attempted[] = [];
  let isSpent = false;
  const lane = async () => {
    while (!isSpent && dependencies.now() < until && !attempts.some(mustStop)) {
      const event = waiting.shift();
      if (!event) return;
      const attempted = await post(dependencies, endpoint, event);
      if (attempted) attempts.push(attempted);
      else isSpent = true;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return attempts;
};
