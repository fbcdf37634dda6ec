import { type Rows, rowsOf } from "../identity/identity-rows.ts";
import { countOpenWebhooks, newestSeq, openWebhooks } from "../journal/read.ts";
import { enqueueDeliveries } from "../queue/enqueue.ts";
import { changeUnread, type Queue } from "../queue/person-queues.ts";

/** Webhooks of a slice. It takes about 5 ms, in which no webhook is accepted. */
const SLICE = 200;
/** Slices of an event. */
const SLICES = 25;

/**
 * Reads the open deliveries of earlier lives of the object in slices, so that webhooks are accepted meanwhile. The first
 * slice is read at once.
 */
export const createQueueReader = (sql: SqlStorage, queue: Queue, sleep: (ms: number) => Promise<void>) => {
  let unread: { after: number; to: number; count: number } | undefined;

  const readSlice = (after: number, to: number): void => {
    const { webhooks, last } = openWebhooks(sql, { after, to }, SLICE);
    const rows: Rows = rowsOf(
      sql,
      webhooks.flatMap(({ deliveries }) => deliveries.map(({ contact }) => contact)),
    );
    for (const webhook of webhooks) enqueueDeliveries(rows, queue, webhook);
    const left = last === undefined ? 0 : countOpenWebhooks(sql, { after: last, to });
    changeUnread(queue, left - (unread?.count ?? 0));
    unread = last === undefined || left === 0 ? undefined : { after: last, to, count: left };
  };

  readSlice(0, newestSeq(sql));
  return {
    /** True until all is read. Nothing is sent before, because order and limits need the whole queue. */
    isUnread: (): boolean => unread !== undefined,
    /** Reads as much as one event may. */
    read: async (): Promise<void> => {
      for (let n = 0; unread && n < SLICES; n++) {
        readSlice(unread.after, unread.to);
        await sleep(0);
      }
    },
  };
};
