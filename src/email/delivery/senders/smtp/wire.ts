import type { Socket, Timers } from "../definition.ts";
import { createReplyReader, type Reply } from "./reply-reader.ts";

export class TimeLimitError extends Error {}

/** SMTP over one socket. Each operation has a time limit in ms and throws on failure. */
export type Wire = ReturnType<typeof createWire>;

export const createWire = (first: Socket, timers: Timers) => {
  let socket = first;
  let reader = socket.readable.getReader();
  let writer = socket.writable.getWriter();
  const replies = createReplyReader();
  let closed = false;

  /** `end`: Unix ms. */
  let current: { end: number; fail(): void } | undefined;
  let timer: { at: number; cancel(): void } | undefined;

  const close = (): void => {
    if (closed) return;
    closed = true;
    current = undefined;
    timer?.cancel();
    socket.close().catch(() => {});
    for (const stream of [reader, writer]) stream.closed.catch(() => {});
  };

  const watch = (): void => {
    if (!current || (timer && timer.at <= current.end)) return;
    timer?.cancel();
    const { end } = current;
    const run = () => {
      timer = undefined;
      if (current && current.end <= timers.now()) current.fail();
      else watch();
    };
    timer = { at: end, cancel: timers.after(Math.max(0, end - timers.now()), run) };
  };

  /** Closes the socket on timeout: a late operation must not reach the server. */
  const within = <T>(ms: number, what: string, work: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      work.catch(() => {});
      if (closed) return reject(new Error("the connection is closed"));
      const fail = () => {
        reject(new TimeLimitError(`no ${what} within ${Math.round(Math.max(0, ms) / 1_000)} s`));
        close();
      };
      const operation = { end: timers.now() + ms, fail };
      current = operation;
      watch();
      const over = () => {
        if (current === operation) current = undefined;
      };
      work.then(resolve, reject).then(over);
    });

  return {
    close,
    opened: (ms: number) => within(ms, "connection", socket.opened),
    write: (bytes: Uint8Array, ms: number) => within(ms, "acceptance of our data", writer.write(bytes)),
    /** `ms` covers the whole reply, so a slow byte-by-byte reply gains no time. */
    async read(ms: number): Promise<Reply> {
      const end = timers.now() + ms;
      for (;;) {
        const reply = replies.next();
        if (reply) return reply;
        const { done, value } = await within(end - timers.now(), "reply of the mail provider", reader.read());
        if (done) throw new Error("the mail provider closed the connection");
        replies.feed(value);
      }
    },
    hasMore: replies.hasMore,
    startTls(): void {
      reader.releaseLock();
      writer.releaseLock();
      socket = socket.startTls();
      reader = socket.readable.getReader();
      writer = socket.writable.getWriter();
    },
  };
};
