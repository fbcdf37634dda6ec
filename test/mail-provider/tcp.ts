import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import type { Peer } from "./relay.ts";

const folder = join(import.meta.dirname, "../fixtures/tls");
const pem = (name: string) => readFileSync(join(folder, `${name}.pem`));

/** For 127.0.0.1. Made for tests, valid for a hundred years. */
export const TRUSTED = { key: pem("key"), cert: pem("certificate") };
export const UNTRUSTED = { key: pem("untrusted-key"), cert: pem("untrusted") };
/** The file for NODE_EXTRA_CA_CERTS: workerd trusts it if the variable is set before it starts. */
export const CA_FILE = join(folder, "certificate.pem");

const happens = async (socket: Socket, events: readonly string[]): Promise<void> => {
  const over = new AbortController();
  await Promise.race(events.map((event) => once(socket, event, { signal: over.signal }))).catch(() => {});
  over.abort();
};

const peerOf = (first: Socket, certificate: typeof TRUSTED): Peer => {
  let socket = first;
  return {
    // Reads only on demand, so that the server can let its client wait.
    async read() {
      for (;;) {
        const bytes = socket.read() as Buffer | null;
        if (bytes) return bytes;
        if (socket.destroyed || socket.readableEnded) return undefined;
        await happens(socket, ["readable", "end", "close"]);
      }
    },
    send: (data) =>
      new Promise((resolve) => {
        if (socket.destroyed) resolve();
        else socket.write(typeof data === "string" ? Buffer.from(data, "latin1") : data, () => resolve());
      }),
    drop: () => socket.destroySoon(),
    secure: async () => {
      socket = new TLSSocket(socket, { isServer: true, ...certificate });
      socket.on("error", () => {});
    },
  };
};

export const listen = async (
  serve: (peer: Peer) => Promise<void>,
  { implicitTls = false, certificate = TRUSTED } = {},
) => {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => {});
    const outer = implicitTls ? new TLSSocket(socket, { isServer: true, ...certificate }) : socket;
    outer.on("error", () => {});
    void serve(peerOf(outer, certificate));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
};
