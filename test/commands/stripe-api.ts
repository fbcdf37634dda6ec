import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Stored = { id: string; object: string; created: number } & Record<string, unknown>;

/**
 * A fake of Stripe's API: lists newest first with `created[gte]`, `limit` and `starting_after`, and one customer by
 * id.
 */
export const startStripeApi = async (key: string, objects: readonly Stored[], pageSize = 10) => {
  const requests: string[] = [];
  const api = {
    requests,
    before: undefined as ((path: string) => number | "hang" | undefined) | undefined,
    url: "",
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  const answer = (response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}) => {
    response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
  };
  const error = (response: ServerResponse, status: number) =>
    answer(response, status, { error: { type: "api_error" } }, status === 429 ? { "Retry-After": "1" } : {});
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "", "http://stripe");
    const path = url.pathname + url.search;
    requests.push(path);
    if (request.headers.authorization !== `Bearer ${key}`) return error(response, 401);
    const instead = api.before?.(path);
    if (instead === "hang") return;
    if (instead !== undefined) return error(response, instead);
    const [, collection = "", id] = /^\/v1\/(products|customers|subscriptions)(?:\/(.+))?$/.exec(url.pathname) ?? [];
    const kind = collection.slice(0, -1);
    if (id !== undefined) {
      const found = objects.find((one) => one.object === kind && one.id === decodeURIComponent(id));
      return found ? answer(response, 200, found) : error(response, 404);
    }
    if (kind === "") return error(response, 404);
    const since = Number(url.searchParams.get("created[gte]") ?? 0);
    const all = objects.filter(({ object, created }) => object === kind && created >= since);
    all.sort((a, b) => b.created - a.created || (a.id < b.id ? -1 : 1));
    const after = url.searchParams.get("starting_after");
    const from = after === null ? 0 : all.findIndex((one) => one.id === after) + 1;
    if (after !== null && from === 0) return error(response, 400);
    const size = Math.min(pageSize, Number(url.searchParams.get("limit") ?? 10));
    const data = all.slice(from, from + size);
    answer(response, 200, { object: "list", data, has_more: from + size < all.length, url: url.pathname });
  };
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  api.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return api;
};
