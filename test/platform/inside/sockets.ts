// Stands in for "cloudflare:sockets" in a bundle of the simulator.
import { connect as production } from "cloudflare:sockets";
import { type Actor, currentActor, spend, tick } from "./event.ts";

/** A connection is one subrequest; each read moves the clock. */
export const connect = (...args: Parameters<typeof production>): Socket => {
  const actor = currentActor();
  if (!actor) return production(...args);
  spend(actor, "connect");
  return ticking(actor, production(...args));
};

const ticking = (actor: Actor, socket: Socket): Socket =>
  proxied(socket, {
    readable: () =>
      proxied(socket.readable, { getReader: () => () => tickingReader(actor, socket.readable.getReader()) }),
    startTls:
      () =>
      (...options: Parameters<Socket["startTls"]>) =>
        ticking(actor, socket.startTls(...options)),
  });

const tickingReader = (actor: Actor, reader: ReadableStreamDefaultReader) =>
  proxied(reader, {
    read: () => async () => {
      const read = await reader.read();
      tick(actor);
      return read;
    },
  });

const proxied = <T extends object>(target: T, own: Record<string, () => unknown>): T =>
  new Proxy(target, {
    get: (_, name) => {
      const replaced = typeof name === "string" ? own[name] : undefined;
      if (replaced) return replaced();
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
