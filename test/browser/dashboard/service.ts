import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An email service that refuses deliveries while a test wants it, and remembers accepted ones. */
export const refusingService = async () => {
  const mood: { refuses?: string; refusesKey?: string } = {};
  const accepted: { path: string; key: string | undefined; body: Record<string, unknown> }[] = [];
  const server = createServer((request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    let text = "";
    request.on("data", (part: Buffer) => {
      text += part.toString();
    });
    request.on("end", () => {
      const path = request.url ?? "";
      if (mood.refusesKey !== undefined) return answer(401, { success: false, message: mood.refusesKey });
      if (path === "/v1/api-key") return answer(200, { success: true, teamName: "Service" });
      if (mood.refuses !== undefined) return answer(400, { success: false, message: mood.refuses });
      const header = request.headers["idempotency-key"];
      const key = typeof header === "string" ? header : undefined;
      accepted.push({ path, key, body: text === "" ? {} : JSON.parse(text) });
      const kind = path.startsWith("/v1/contacts") ? "con" : path.startsWith("/v1/events") ? "evt" : "snd";
      return answer(200, { success: true, id: `${kind}_${accepted.length}` });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, mood, accepted, stop };
};
