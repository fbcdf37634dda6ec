import { createReplyReader, type Reply } from "./reply.ts";

/** A TCP connection: the part of a socket of `cloudflare:sockets` that is used here. */
export type Socket = {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
  readonly opened: Promise<unknown>;
  close(): Promise<void>;
  startTls(): Socket;
};

/** How a connection is encrypted: `on` from the start, `starttls` after a command, `off` never. */
export type Tls = "on" | "starttls" | "off";

export type Connect = (address: { hostname: string; port: number }, tls: Tls) => Socket;

/** Clock and timers, replaced in tests. `after` returns a function that cancels the timer. */
export type Timers = { now(): number; after(ms: number, run: () => void): () => void };

/** A time limit of the protocol has passed. */
export class TimeLimitError extends Error {}

/** SMTP over one socket: writes bytes, reads replies. Every operation has a time limit in ms and throws when it fails. */
export type Wire = ReturnType<typeof createWire>;

export const createWire = (first: Socket, timers: Timers) => {
  let socket = first;
  let reader = socket.readable.getReader();
  let writer = socket.writable.getWriter();
  const replies = createReplyReader();
  let closed = false;

  /** The operation that is waited for: there is one at a time. `end`: Unix ms. */
  let current: { end: number; fail(): void } | undefined;
  let timer: { at: number; cancel(): void } | undefined;

  const close = (): void => {
    if (closed) return;
    closed = true;
    current = undefined;
    timer?.cancel();
    // A socket that has failed already rejects: it is closed either way.
    socket.close().catch(() => {});
    for (const stream of [reader, writer]) stream.closed.catch(() => {});
  };

  /** Fails an operation whose time is over. A mail has many operations, so a timer outlives them, and is set again only when it has run. */
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

  /** Closes the socket when the time is over: an operation that ends later must not reach the relay. */
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
    /** Reads one reply. `ms` is for the whole reply: a relay that sends it byte by byte gains no time. */
    async read(ms: number): Promise<Reply> {
      const end = timers.now() + ms;
      for (;;) {
        const reply = replies.next();
        if (reply) return reply;
        const { done, value } = await within(end - timers.now(), "reply of the relay", reader.read());
        if (done) throw new Error("the relay closed the connection");
        replies.feed(value);
      }
    },
    /** True when the relay has sent more than was read. */
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
