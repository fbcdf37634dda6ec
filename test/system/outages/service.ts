import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** How the email service fails. `well`: not at all. */
export type Mode = "well" | "refused" | "silence" | "503" | "page";

type Arrival = { at: number; path: string; key: string | undefined };

/** An email service over real HTTP that fails as told. It remembers Idempotency-Keys. */
export const startFailing = async () => {
  let mode: Mode = "well";
  let arrivals: Arrival[] = [];
  const acted: string[] = [];
  const keys = new Set<string>();
  const answer = (response: ServerResponse, status: number, body: object) =>
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const header = request.headers["idempotency-key"];
    const key = typeof header === "string" ? header : undefined;
    const path = request.url ?? "";
    request.resume();
    arrivals.push({ at: performance.now(), path, key });
    if (mode === "silence") return;
    if (mode === "page") return response.writeHead(200, { "Content-Type": "text/html" }).end("<html>Soon back</html>");
    if (mode === "503") return answer(response, 503, { success: false, message: "Try again." });
    if (path === "/v1/api-key") return answer(response, 200, { success: true, teamName: "Service" });
    if (key !== undefined && keys.has(key))
      return answer(response, 409, { success: false, message: "Idempotency key has been used" });
    if (key !== undefined) keys.add(key);
    acted.push(key ?? path);
    return answer(response, 200, { success: true, id: `id_${acted.length}` });
  };
  let server: Server | undefined;
  const listen = (port: number) =>
    new Promise<Server>((resolve, reject) => {
      const opened = createServer(handle).once("error", reject);
      opened.listen(port, "127.0.0.1", () => resolve(opened));
    });
  const close = () => {
    server?.closeAllConnections();
    server?.close();
    server = undefined;
  };
  server = await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    acted,
    arrivals: (): readonly Arrival[] => arrivals,
    become: async (next: Mode): Promise<void> => {
      mode = next;
      arrivals = [];
      if (next === "refused") close();
      else server ??= await listen(port);
    },
    stop: close,
  };
};
