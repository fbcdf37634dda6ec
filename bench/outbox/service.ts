import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

type Arrival = { /** Ms of `performance.now`. */ at: number; path: string; body: string };

/** Starts an email service. The 11th request in a second gets 429. */
export const startService = async () => {
  const service = {
    arrivals: [] as Arrival[],
    limited: 0,
    /** False removes the rate limit. */
    limits: true,
    /** Ms until the answer; undefined means no answer. */
    delay: (_path: string): number | undefined => 0,
    url: "",
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  const server = createServer((request, response) => {
    const at = performance.now();
    const path = request.url ?? "";
    let body = "";
    request.on("data", (data) => {
      body += data;
    });
    request.on("end", () => {
      service.arrivals.push({ at, path, body });
      const tenth = service.arrivals.at(-11)?.at ?? Number.NEGATIVE_INFINITY;
      const full = service.limits && at - tenth < 1_000;
      if (full) service.limited++;
      const delay = service.delay(path);
      if (delay === undefined) return;
      setTimeout(() => {
        response.writeHead(full ? 429 : 200, { "Content-Type": "application/json", "Retry-After": "1" });
        response.end(JSON.stringify({ success: !full }));
      }, delay);
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return service;
};
export type Service = Awaited<ReturnType<typeof startService>>;
