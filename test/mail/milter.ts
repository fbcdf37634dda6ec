import { createServer, type Socket } from "node:net";
import { freePort } from "../port.ts";

/** Commands of the milter protocol that have no answer: macros, abort, quit and a new connection. */
const SILENT = ["D", "A", "Q", "K"];

const packet = (code: string, data: Buffer = Buffer.alloc(0)): Buffer => {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(data.length + 1);
  head.write(code, 4, "latin1");
  return Buffer.concat([head, data]);
};

/** Version 6, no changes to mails, and every step is told. */
const NEGOTIATED = packet("O", Buffer.from([0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0]));
const CONTINUE = packet("c");

const talk = (socket: Socket, replyTo: (recipient: string) => string | undefined): void => {
  let waiting = Buffer.alloc(0);
  let recipient = "";
  const answer = (code: string, data: Buffer): Buffer | undefined => {
    if (SILENT.includes(code)) return undefined;
    if (code === "O") return NEGOTIATED;
    if (code === "R") recipient = data.toString("latin1").split("\0")[0]?.replace(/[<>]/g, "") ?? "";
    const reply = code === "E" ? replyTo(recipient) : undefined;
    return reply === undefined ? CONTINUE : packet("y", Buffer.from(`${reply}\0`, "latin1"));
  };
  socket.on("error", () => {});
  socket.on("data", (bytes: Buffer) => {
    waiting = Buffer.concat([waiting, bytes]);
    for (let size = sizeOf(waiting); size !== undefined; size = sizeOf(waiting)) {
      const given = answer(waiting.toString("latin1", 4, 5), waiting.subarray(5, size));
      if (given) socket.write(given);
      waiting = waiting.subarray(size);
    }
  });
};

const sizeOf = (bytes: Buffer): number | undefined => {
  const size = bytes.length < 4 ? Number.POSITIVE_INFINITY : 4 + bytes.readUInt32BE();
  return size <= bytes.length ? size : undefined;
};

/** A milter that refuses whole messages by their recipient, as a filter for DMARC does. */
export const startMilter = async (replyTo: (recipient: string) => string | undefined) => {
  const port = await freePort();
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    talk(socket, replyTo);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    port,
    stop: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
};
