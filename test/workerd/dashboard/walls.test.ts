import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Logins } from "../../../src/dashboard/worker/logins.ts";
import { dashboardContract } from "../../../src/lib/contract/admin/dashboard.ts";
import { operationsOf } from "../../../src/lib/contract/operation.ts";
import { accessHeader } from "./access-bench.ts";
import { dashboard, isolated, ORIGIN, recorder, TOKEN } from "./bench.ts";
import { actOf, exampleOf, FORWARDED, OWN } from "./operations.ts";

isolated();

const logins = () => (env as unknown as { LOGINS: DurableObjectNamespace<Logins> }).LOGINS.getByName("main");
const kept = () =>
  runInDurableObject(logins(), (_, { storage }) =>
    Object.fromEntries(
      ["sessions", "attempts", "used_codes", "audit", "views", "people", "passkeys", "invites", "recovery_codes"].map(
        (table) => [table, storage.sql.exec(`SELECT * FROM ${table}`).toArray()],
      ),
    ),
  );
const codeOf = async (answer: Response) => ((await answer.json()) as { code?: string }).code;

const GETS = operationsOf(dashboardContract)
  .filter(({ operation }) => operation.method === "GET")
  .map(({ operation }) => `/api${operation.path}`);

describe("an operation that changes something", () => {
  const foreign: Record<string, { headers?: Record<string, string>; without?: string[] }> = {
    "no Origin": { without: ["Origin"] },
    "an empty Origin": { headers: { Origin: "" } },
    "the Origin null": { headers: { Origin: "null" } },
    "a neighbor's Origin": { headers: { Origin: "https://bridge.example.com" } },
    "an Origin that begins as this one": { headers: { Origin: `${ORIGIN}.evil.example.com` } },
    "this Origin over http": { headers: { Origin: ORIGIN.replace("https", "http") } },
    "this Origin at another port": { headers: { Origin: `${ORIGIN}:8443` } },
    "this Origin with a path": { headers: { Origin: `${ORIGIN}/` } },
    "a Referer in place of the Origin": { headers: { Referer: `${ORIGIN}/` }, without: ["Origin"] },
    "no X-Mailspan": { without: ["X-Mailspan"] },
    "an empty X-Mailspan": { headers: { "X-Mailspan": "" } },
    "another X-Mailspan": { headers: { "X-Mailspan": "true" } },
  };
  it.each(Object.keys(foreign))("is refused with %s, whichever it is, and nothing changes", async (name) => {
    const { ask, logIn, bridge, email } = dashboard();
    const cookie = await logIn();
    const before = await kept();
    for (const { name: operation, operation: asked, path } of [...OWN, ...FORWARDED]) {
      const answer = await ask(asked.method, path, { cookie, ...exampleOf(asked), ...foreign[name] });
      expect([operation, answer.status, await codeOf(answer)]).toEqual([operation, 403, "wrong_origin"]);
      expect(answer.headers.get("Set-Cookie")).toBeNull();
    }
    expect([...bridge.requests, ...email.requests]).toEqual([]);
    expect(await kept()).toEqual(before);
  });

  it("is one of the four methods: any other reaches nothing", async () => {
    const { ask, logIn, bridge, email } = dashboard();
    const cookie = await logIn();
    const before = await kept();
    for (const method of ["HEAD", "OPTIONS", "PATCH", "PROPFIND"])
      for (const path of [
        "/api/bridge/pause",
        "/api/bridge/webhooks/wh_1",
        "/api/email/teams",
        "/api/session",
        "/api/sessions",
      ]) {
        const answer = await ask(method, path, { cookie });
        if (method !== "HEAD") expect([method, path, answer.ok]).toEqual([method, path, false]);
      }
    expect([...bridge.requests, ...email.requests]).toEqual([]);
    expect(await kept()).toEqual(before);
  });

  it("is never a GET: the dashboard's own leave the Logins as it is, and the halves get no body", async () => {
    const { ask, logIn, bridge, email } = dashboard();
    const cookie = await logIn();
    const before = await kept();
    for (const path of GETS) expect([path, (await ask("GET", path, { cookie })).status]).toEqual([path, 200]);
    for (const path of ["/api/bridge/status", "/api/email/teams"]) await ask("GET", path, { cookie });
    expect(await kept()).toEqual(before);
    expect(new Set([...bridge.requests, ...email.requests].map(({ method, body }) => method + body))).toEqual(
      new Set(["GET"]),
    );
  });

  it("is in the audit when it goes through the proxy, whichever it is, with its ids and without its content", async () => {
    const { ask, logIn } = dashboard();
    const cookie = await logIn();
    const acts = FORWARDED.filter(({ operation }) => operation.effect === "act");
    for (const { operation, path } of acts)
      await ask(operation.method, `${path}?q=secret-query`, { cookie, ...actOf(operation) });
    const { audit: [, ...audit] = [] } = await kept();
    expect(audit.map(({ operation }) => operation)).toEqual(acts.map(({ name }) => name));
    expect(Object.keys(audit[0] ?? {})).toEqual(["n", "at", "who", "operation", "ids", "status", "request", "address"]);
    const ids = audit.map((entry) => Object.keys(JSON.parse(String(entry.ids))));
    const inPath = acts.map(({ name, operation }) => [
      ...(name.startsWith("email.v1.") ? ["team"] : []),
      ...[...operation.path.matchAll(/\{(\w+)\}/g)].map(([, one]) => one),
    ]);
    expect(ids).toEqual(inPath);
    expect(JSON.stringify(audit)).not.toContain("secret-query");
  });
});

describe("a request that reads", () => {
  it("is refused from another site, whichever it is", async () => {
    const { ask, logIn } = dashboard();
    const cookie = await logIn();
    for (const path of [...GETS, "/api/bridge/status", "/api/email/teams/acme/suppressions.csv", "/api/no/such/thing"])
      for (const site of ["cross-site", "same-site", "none", ""]) {
        const answer = await ask("GET", path, { cookie, headers: { "Sec-Fetch-Site": site } });
        expect([path, site, answer.status]).toEqual([path, site, 403]);
      }
  });

  it("of the page itself comes from anywhere, as a link in a mail does, and shows no data", async () => {
    const { ask, logIn } = dashboard();
    const headers = { "Sec-Fetch-Site": "cross-site" };
    const [without, within] = [
      await ask("GET", "/people", { headers }),
      await ask("GET", "/people", { headers, cookie: await logIn() }),
    ];
    const texts = await Promise.all([without, within].map((answer) => answer.text()));
    expect([without.status, within.status]).toEqual([200, 200]);
    expect(new Set(texts.map((text) => text.replace(/nonce="[^"]*"$/, "").replace(/nonce="[^"]*">/, ""))).size).toBe(1);
  });
});

describe("every answer of the API", () => {
  it("is kept by no cache, runs nothing, and has neither the admin token nor a cookie of a half", async () => {
    const loud = recorder(
      () =>
        new Response("{}", {
          headers: {
            "Content-Type": "application/json",
            Authorization: `Bearer ${TOKEN}`,
            "Set-Cookie": "a=b",
            Location: "https://evil.example.com",
            "Access-Control-Allow-Origin": "*",
            Link: "</x>; rel=preload",
            Refresh: "0",
          },
        }),
    );
    const { ask, logIn } = dashboard({ BRIDGE: loud, EMAIL: { fetch: () => Promise.reject(new Error(TOKEN)) } });
    const cookie = await logIn();
    const asked = [
      ...GETS.map((path) => ["GET", path, { cookie }] as const),
      ...([["GET", "/api/bridge/status", { cookie }]] as const),
      ...([["GET", "/api/email/teams", { cookie }]] as const),
      ...([["GET", "/api/no/such/thing", { cookie }]] as const),
      ...([["GET", "/api/bridge/no/such/thing", { cookie }]] as const),
      ...([["GET", "/api/session", {}]] as const),
      ...([["PATCH", "/api/session", { cookie, body: {} }]] as const),
      ...([["POST", "/api/session", { body: { token: "wrong" } }]] as const),
      ...([["POST", "/api/session", { raw: "no JSON" }]] as const),
      ...([["POST", "/api/session/prove", { cookie, body: { token: TOKEN } }]] as const),
      ...([["POST", "/api/bridge/pause", { cookie, without: ["Origin"] }]] as const),
    ];
    for (const [method, path, options] of asked) {
      const answer = await ask(method, path, { ...options });
      const shown = `${method} ${path} ${answer.status}`;
      expect([shown, Object.fromEntries(answer.headers)]).toEqual([
        shown,
        expect.objectContaining({
          "cache-control": "no-store",
          "content-security-policy": "default-src 'none'",
          "x-content-type-options": "nosniff",
          "referrer-policy": "no-referrer",
          "cross-origin-opener-policy": "same-origin",
          "cross-origin-resource-policy": "same-origin",
        }),
      ]);
      for (const name of ["authorization", "set-cookie", "location", "link", "refresh", "access-control-allow-origin"])
        expect([shown, name, answer.headers.get(name)]).toEqual([shown, name, null]);
      expect([shown, await answer.text()]).toEqual([shown, expect.not.stringContaining(TOKEN)]);
    }
  });

  it("follows no half to another place", async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const away = recorder(() => new Response(null, { status, headers: { Location: "https://evil.example.com/" } }));
      const { ask, logIn } = dashboard({ BRIDGE: away });
      const answer = await ask("GET", "/api/bridge/status", { cookie: await logIn() });
      expect([answer.status, await codeOf(answer), answer.headers.get("Location")]).toEqual([
        502,
        "half_unreachable",
        null,
      ]);
      expect(away.requests.map(({ redirect }) => redirect)).toEqual(["manual"]);
    }
  });
});

describe("a request to a half", () => {
  it("has nothing of the person's request but what the half needs", async () => {
    const { ask, logIn, bridge, email } = dashboard();
    const cookie = await logIn();
    const more = {
      "X-Forwarded-For": "192.0.2.1",
      "CF-Connecting-IP": "192.0.2.1",
      "X-Team": "other",
      "Content-Encoding": "gzip",
    };
    const headers = {
      ...more,
      ...accessHeader("an.assertion.x"),
      Authorization: "Bearer mine",
      "X-Mailspan-Actor": "eve",
      "X-Mailspan-Actor-Address": "192.0.2.9",
    };
    for (const { operation, path } of FORWARDED)
      await ask(operation.method, path, { cookie, headers, ...exampleOf(operation) });
    await ask("GET", "/api/bridge/status", { cookie, headers });
    await ask("GET", "/api/about", { cookie, headers });
    const all = [...bridge.requests, ...email.requests];
    expect(all.length).toBe(FORWARDED.length + 3);
    const names = new Set(all.flatMap((request) => [...request.headers.keys()]));
    expect([...names].toSorted()).toEqual([
      "authorization",
      "content-type",
      "x-mailspan-actor",
      "x-mailspan-actor-address",
    ]);
    expect(new Set(all.map((request) => request.headers.get("Authorization")))).toEqual(new Set([`Bearer ${TOKEN}`]));
    expect(new Set(all.map((request) => request.redirect))).toEqual(new Set(["manual"]));
    expect(new Set(all.map((request) => request.headers.get("X-Mailspan-Actor")))).toEqual(new Set(["owner", null]));
    expect(new Set(all.map((request) => request.headers.get("X-Mailspan-Actor-Address")))).toEqual(
      new Set(["192.0.2.1", null]),
    );
  });
});
