import type { Connect, Socket, Timers, Tls } from "../../src/email/delivery/senders/definition.ts";
import type { Peer } from "./relay.ts";

/** A clock that stands still until only timers are left, and then jumps to the next timer. */
export const virtualTime = () => {
  let now = 1_790_000_000_000;
  let timers: { at: number; run: () => void }[] = [];
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  const api: Timers = {
    now: () => now,
    after: (ms, run) => {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
  };
  const settle = async () => {
    for (let n = 0; n < 20; n++) await turn();
  };
  const next = () => timers.reduce((best, timer) => (timer.at < best ? timer.at : best), Number.POSITIVE_INFINITY);
  const advance = async (ms: number) => {
    const end = now + ms;
    for (await settle(); next() <= end; await settle()) {
      now = next();
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { run } of due) run();
    }
    now = end;
  };
  const run = async <T>(promise: Promise<T>): Promise<T> => {
    let done = false;
    const finish = () => {
      done = true;
    };
    promise.then(finish, finish);
    for (await settle(); !done; await settle()) {
      const at = next();
      if (at === Number.POSITIVE_INFINITY) throw new Error("It waits for something that never happens.");
      await advance(at - now);
    }
    return promise;
  };
  return { timers: api, advance, run, waiting: () => timers.length };
};

const createPipe = () => {
  const chunks: { bytes: Uint8Array; taken: () => void }[] = [];
  let closed = false;
  let wake = () => {};
  return {
    write: (bytes: Uint8Array) =>
      new Promise<void>((resolve, reject) => {
        if (closed) return reject(new Error("connection reset"));
        chunks.push({ bytes, taken: resolve });
        wake();
      }),
    async read(): Promise<Uint8Array | undefined> {
      while (chunks.length === 0 && !closed) await new Promise<void>((resolve) => (wake = resolve));
      const chunk = chunks.shift();
      chunk?.taken();
      return chunk?.bytes;
    },
    close() {
      closed = true;
      wake();
    },
    unread: () => chunks.length > 0,
  };
};

/** Connects to an SMTP server in memory. `pieces` cuts its output, so that replies arrive in pieces. */
export const memoryConnect =
  (serve: (peer: Peer) => Promise<void>, pieces: (bytes: Uint8Array) => Uint8Array[] = (bytes) => [bytes]): Connect =>
  (_address, tls) => {
    const toServer = createPipe();
    const toClient = createPipe();
    let secured = () => {};
    const drop = () => {
      toServer.close();
      toClient.close();
    };
    const peer: Peer = {
      read: toServer.read,
      send: async (data) => {
        const bytes = typeof data === "string" ? Buffer.from(data, "latin1") : data;
        for (const piece of pieces(bytes)) toClient.write(piece).catch(() => {});
      },
      drop,
      secure: () => new Promise((resolve) => (secured = resolve)),
    };
    void serve(peer);
    const socketOf = (mode: Tls, broken = false): Socket => {
      const readable = new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            if (broken) throw new Error("TLS handshake failed");
            const bytes = await toClient.read();
            if (bytes) controller.enqueue(new Uint8Array(bytes));
            else controller.close();
          },
        },
        { highWaterMark: 0 },
      );
      const writable = new WritableStream<Uint8Array>({
        async write(bytes) {
          if (broken) throw new Error("TLS handshake failed");
          await toServer.write(new Uint8Array(bytes));
        },
      });
      return {
        readable,
        writable,
        opened: Promise.resolve(),
        close: async () => drop(),
        startTls: () => {
          if (mode !== "starttls") throw new Error("not a socket for STARTTLS");
          const next = socketOf("on", toClient.unread());
          secured();
          return next;
        },
      };
    };
    return socketOf(tls);
  };
