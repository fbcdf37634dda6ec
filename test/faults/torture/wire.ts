import type { Socket } from "node:net";

export type WireRequest = { method: string; path: string; headers: Record<string, string>; body: Buffer };

/** Header with the time at which the bridge lets a request go, Unix ms. */
export const LEFT = "x-left";

/** One step of an answer. `flood` sends this many filler bytes. `every` waits between single bytes. */
export type Step =
  | { send: string | Buffer; every?: number }
  | { wait: number }
  | { flood: number }
  | { end: true }
  | { reset: true };

const REASONS: Readonly<Record<number, string>> = { 200: "OK", 204: "No Content", 302: "Found", 404: "Not Found" };

/** An answer as text, with its length unless `headers` has another framing. */
export const answer = (status: number, body: string | Buffer = "", headers: Record<string, string> = {}): Buffer => {
  const bytes = Buffer.from(body);
  const isFramed = status === 204 || "Transfer-Encoding" in headers || "Content-Length" in headers;
  const all = { ...(isFramed ? {} : { "Content-Length": String(bytes.length) }), ...headers };
  return Buffer.concat([Buffer.from(head(status, all)), bytes]);
};

export const head = (status: number, headers: Record<string, string>, version = "1.1"): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/${version} ${status} ${REASONS[status] ?? "Status"}\r\n${lines.join("")}\r\n`;
};

/**
 * Reads the requests of one connection in sequence. The bridge gives the length of every body.
 *
 * @param onHead called when a head has arrived. Returns its number
 */
export const readRequests = (
  socket: Socket,
  onHead: () => number,
  onRequest: (request: WireRequest, n: number) => void,
): void => {
  let buffer: Buffer = Buffer.alloc(0);
  let open: { n: number; end: number; length: number; request: Omit<WireRequest, "body"> } | undefined;
  socket.on("data", (chunk) => {
    buffer = Buffer.concat([buffer, chunk as Buffer]);
    for (;;) {
      if (!open) {
        const end = buffer.indexOf("\r\n\r\n");
        if (end < 0) return;
        const request = readHead(buffer.subarray(0, end).toString("latin1"));
        open = { n: onHead(), end: end + 4, length: Number(request.headers["content-length"] ?? 0), request };
      }
      const { n, end, length, request } = open;
      if (buffer.length < end + length) return;
      const body = buffer.subarray(end, end + length);
      buffer = buffer.subarray(end + length);
      open = undefined;
      onRequest({ ...request, body }, n);
    }
  });
};

const readHead = (text: string): Omit<WireRequest, "body"> => {
  const [first = "", ...lines] = text.split("\r\n");
  const [method = "", path = ""] = first.split(" ");
  const headers = lines.map((line): [string, string] => {
    const at = line.indexOf(":");
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
  });
  return { method, path, headers: Object.fromEntries(headers) };
};

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const FILLER = Buffer.alloc(65_536, "x");

/** Sends an answer step by step. Ends early if the connection is closed. */
export const perform = async (socket: Socket, steps: readonly Step[]): Promise<void> => {
  for (const step of steps) {
    if (socket.destroyed) return;
    if ("wait" in step) await sleep(step.wait);
    else if ("end" in step) socket.end();
    else if ("reset" in step) socket.resetAndDestroy();
    else if ("flood" in step) await flood(socket, step.flood);
    else if (step.every === undefined) socket.write(step.send);
    else await trickle(socket, Buffer.from(step.send), step.every);
  }
};

const flood = async (socket: Socket, bytes: number): Promise<void> => {
  for (let sent = 0; sent < bytes && !socket.destroyed; sent += FILLER.length)
    if (!socket.write(FILLER))
      await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), sleep(1_000)]);
};

const trickle = async (socket: Socket, bytes: Buffer, every: number): Promise<void> => {
  for (let at = 0; at < bytes.length && !socket.destroyed; at++) {
    socket.write(bytes.subarray(at, at + 1));
    await sleep(every);
  }
};
