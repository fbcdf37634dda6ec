import { randomInt } from "node:crypto";
import { createServer } from "node:net";

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
      .once("error", () => resolve(false))
      .listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });

/** A free port below 32 768. The system gives higher ports to clients, so it stays free during a restart. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(12_000, 32_000);
    if (await isFree(port)) return port;
  }
};
