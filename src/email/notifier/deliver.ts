import type { Attempted, OutgoingBatch } from "../types/notifier-rpc.ts";
import { type Dependencies, post } from "./post.ts";

/** A Worker has six outgoing connections. */
const LANES = 4;
/** In ms, after the batch began. */
const START_WITHIN_MS = 20_000;
/** The endpoint is gone (410) or asks for a pause. */
const STOPPING = new Set([410, 429, 503]);

const mustStop = (attempted: Attempted): boolean => "error" in attempted || STOPPING.has(attempted.status);

/** Posts events in parallel. Skips the rest if the endpoint is slow. */
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
