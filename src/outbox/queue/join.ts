import { MAX_JOINED } from "./max-in-flight.ts";
import { following, isPaused, type Queue, type QueueItem } from "./person-queues.ts";

/** Lists following updates that can share a request. A repeat joins only repeats. */
export const joinable = (queue: Queue, item: QueueItem, now: number): readonly QueueItem[] => {
  const behind = following(item, MAX_JOINED);
  const isRepeat = item.order !== undefined;
  const end = behind.findIndex(
    ({ update, alone, waits, due, source, order }) =>
      !update || alone || waits || due > now || (order !== undefined) !== isRepeat || isPaused(queue, { source }),
  );
  return behind.slice(0, end < 0 ? behind.length : end);
};
