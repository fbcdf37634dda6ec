import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

type Event = { eventName: string; contactIdentity: { email: string } };

/** An endpoint of outgoing webhooks. It keeps the ids of events by type and address. */
export const startReceiver = async () => {
  const ids = new Map<string, Set<string>>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { eventName, contactIdentity } = JSON.parse(Buffer.concat(chunks).toString()) as Event;
      const key = `${eventName} ${contactIdentity.email}`;
      ids.set(key, (ids.get(key) ?? new Set()).add(String(request.headers["webhook-id"])));
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Events about an address. A repeated webhook counts once. */
    events: (type: string, email: string): number => ids.get(`${type} ${email}`)?.size ?? 0,
    forget: () => ids.clear(),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
