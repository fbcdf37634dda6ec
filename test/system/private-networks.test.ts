import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, it } from "vitest";
import { workerOptions } from "../../scripts/workers.ts";
import { startResolver } from "../dns/stand-in.ts";
import { loadOnce, type Mailspan, secrets, startMailspan, until } from "./mailspan.ts";

const SCRIPT = `export default { fetch: async (request, env) => {
  const { searchParams } = new URL(request.url);
  const call = searchParams.has("public") ? (url) => env.PUBLIC_NETWORK.fetch(url) : (url) => fetch(url);
  return call(searchParams.get("url")).then((answer) => answer.text(), () => "not connected").then((text) => new Response(text));
} }`;

it("the way of outgoing webhooks of npm start ends before each private address, also by a name", async () => {
  const server = createServer((_, response) => response.end("secret"));
  await new Promise<void>((resolve) => server.listen(0, "::", resolve));
  const { port } = server.address() as AddressInfo;
  const config = await loadOnce("src/email/wrangler.toml");
  const only = { ...config, script: SCRIPT, migrations: [], durable_objects: { bindings: [] }, r2_buckets: [] };
  const workers = [workerOptions({ ...only, assets: {} }, {}, 0)];
  const miniflare = new Miniflare(convertV4MiniflareOptions({ host: "127.0.0.1", port: 0, cf: false, workers }));
  const call = async (host: string, way: string) => {
    const query = new URLSearchParams({ url: `http://${host}:${port}/`, [way]: "" });
    return (await miniflare.dispatchFetch(`http://x/?${query}`)).text();
  };
  try {
    const hosts = ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0", "[::ffff:7f00:1]", hostname()];
    for (const host of hosts) {
      expect([host, await call(host, "any")]).toEqual([host, "secret"]);
      expect([host, await call(host, "public")]).toEqual([host, "not connected"]);
    }
  } finally {
    await miniflare.dispose();
    server.close();
  }
});

let dns: Awaited<ReturnType<typeof startResolver>>;
let mailspan: Mailspan;
beforeAll(async () => {
  dns = await startResolver();
  mailspan = await startMailspan({}, { DNS_OVER_HTTPS_URL: dns.url });
});
afterAll(async () => {
  await mailspan?.stop();
  await dns?.stop();
});

it("a public name of a private address is a failed attempt with cause and cure", async () => {
  dns.serve({
    "CNAME hooks.mailspan-test.dev": ["inside.mailspan-test.dev"],
    "A inside.mailspan-test.dev": ["10.1.2.3"],
  });
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${mailspan.emailUrl}/admin/teams/demo/webhooks${path}`, {
      method,
      headers: { Authorization: `Bearer ${secrets.ADMIN_TOKEN}`, "Content-Type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return (await response.json()) as { id: string; data?: { lastAttempts: { error?: string }[] }[] };
  };
  const { id } = await call("POST", "", { url: "https://hooks.mailspan-test.dev/in" });
  await call("POST", `/${id}/test`);
  const error = await until("an attempt", async () => (await call("GET", `/${id}`)).data?.[0]?.lastAttempts[0]?.error);
  expect(error).toMatch(
    /^not called: hooks\.mailspan-test\.dev points to 10\.1\.2\.3, which is a private network\. Point it/,
  );
});
