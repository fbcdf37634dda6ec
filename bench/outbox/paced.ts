import { connect, type Socket } from "node:net";
import { lengthOf, type Wire } from "./load.ts";

const CONNECTIONS = 32;
/** Ms. */
const TICK = 4;

/** `due`, `at`: ms of `performance.now`. */
type Answered = { due: number; at: number; status: number };

/**
 * Sends requests evenly. Times count from the due time, so a stall affects every request.
 * @param make called at most two seconds early
 */
export const paced = (port: number, rate: number, make: () => Promise<Wire>) => {
  const answered: Answered[] = [];
  const idle: Socket[] = [];
  const sockets: Socket[] = [];
  const ready: Wire[] = [];
  const waiting: { due: number; wire: Wire }[] = [];
  const current = new Map<Socket, { due: number; text: string }>();
  let stopped = false;

  const next = (socket: Socket): void => {
    const one = waiting.shift();
    if (!one) {
      idle.push(socket);
      return;
    }
    current.set(socket, { due: one.due, text: "" });
    socket.write(one.wire);
  };
  for (let n = 0; n < CONNECTIONS; n++) {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    sockets.push(socket);
    socket.on("connect", () => next(socket));
    socket.on("data", (data) => {
      const one = current.get(socket);
      if (!one) return;
      one.text += data.toString("latin1");
      const head = one.text.indexOf("\r\n\r\n");
      if (head < 0 || one.text.length < head + 4 + lengthOf(one.text.slice(0, head))) return;
      answered.push({ due: one.due, at: performance.now(), status: Number(one.text.slice(9, 12)) });
      current.delete(socket);
      next(socket);
    });
  }
  const fill = async (): Promise<void> => {
    for (; !stopped; await new Promise((resolve) => setTimeout(resolve, TICK)))
      while (ready.length < rate) ready.push(await make());
  };
  const began = performance.now() + 1_000;
  let sent = 0;
  const timer = setInterval(() => {
    for (; began + (sent * 1_000) / rate <= performance.now(); sent++) {
      const wire = ready.shift();
      if (!wire) return;
      waiting.push({ due: began + (sent * 1_000) / rate, wire });
      // Turns keep connections alive: workerd closes idle ones.
      const socket = idle.shift();
      if (socket) next(socket);
    }
  }, TICK);
  const filling = fill();
  return {
    answered,
    /** Waits for the answers. Rejects if a connection was lost. */
    stop: async (): Promise<void> => {
      stopped = true;
      clearInterval(timer);
      await filling;
      for (let n = 0; n < 500 && current.size + waiting.length > 0; n++)
        await new Promise((resolve) => setTimeout(resolve, 20));
      for (const socket of sockets) socket.destroy();
      if (current.size > 0) throw new Error(`${current.size} requests got no answer.`);
    },
  };
};
