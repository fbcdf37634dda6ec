import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Arrival = { at: number; path: string; key: string | undefined; fault: Fault };

export type Fault = "none" | "429" | "500 before" | "500 after" | "timeout before" | "timeout after";

/** An email service over real HTTP with typical failures. It remembers Idempotency-Keys, and checks the rate limit. */
export const startService = async (faultOf: (n: number) => Fault) => {
  const arrivals: Arrival[] = [];
  const acted: string[] = [];
  const keys = new Set<string>();
  const answer = (response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}) => {
    response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
  };
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const isKeyCheck = request.url === "/v1/api-key";
    const fault = isKeyCheck ? "none" : faultOf(arrivals.length);
    const header = request.headers["idempotency-key"];
    const key = typeof header === "string" ? header : undefined;
    arrivals.push({ at: performance.now(), path: request.url ?? "", key, fault });
    request.resume();
    if (fault === "429")
      return answer(response, 429, { success: false, message: "Too many requests" }, { "Retry-After": "1" });
    if (fault === "500 before") return answer(response, 500, { success: false, message: "before" });
    if (fault === "timeout before") return;
    if (key !== undefined && keys.has(key)) {
      return answer(response, 409, { success: false, message: "Idempotency key has been used" });
    }
    if (key !== undefined) {
      keys.add(key);
      acted.push(key);
    }
    if (fault === "500 after") return answer(response, 500, { success: false, message: "after" });
    if (fault === "timeout after") return;
    if (isKeyCheck) return answer(response, 200, { success: true, teamName: "Service" });
    answer(response, 200, { success: true, id: `id_${arrivals.length}` });
  };
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    acted,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

/** The highest number of arrivals in any [t, t + `ms`). */
export const most = (times: readonly number[], ms = 1_000): number => {
  const sorted = [...times].sort((a, b) => a - b);
  let first = 0;
  let result = 0;
  sorted.forEach((time, last) => {
    while ((sorted[first] ?? time) <= time - ms) first++;
    result = Math.max(result, last - first + 1);
  });
  return result;
};
