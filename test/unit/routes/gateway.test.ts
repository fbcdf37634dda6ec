import { expect, it, vi } from "vitest";
import type { Env } from "../../../src/env.ts";
import type { Forward, Forwarded } from "../../../src/outbox/dispatch/gateway-queue.ts";

vi.mock("cloudflare:workers", () => ({ DurableObject: class {}, env: {} }));
vi.spyOn(console, "log").mockImplementation(() => {});
const { default: app } = await import("../../../src/index.ts");

const KEY = "ms_team_key";

const ask = async (path: string, answer: Partial<Forwarded> = {}) => {
  const forwarded: Forward[] = [];
  const forward = async (request: Forward) => {
    forwarded.push(request);
    return { status: 200, headers: [], body: undefined, ...answer };
  };
  const env = { EMAIL_API_KEY: KEY, OUTBOX: { getByName: () => ({ forward }) } } as unknown as Env;
  const response = await app.request(path, { headers: { Authorization: `Bearer ${KEY}` } }, env);
  return { response, path: forwarded[0]?.path };
};

it.each([
  ["/v1/%65vents/send", "/v1/events/send"],
  ["/v1/%43ampaigns?a=%65", "/v1/Campaigns?a=%65"],
  ["/v1/contact-properties/%7Eplan%2D1", "/v1/contact-properties/~plan-1"],
  ["/v1/lists/caf%C3%A9%20x", "/v1/lists/caf%C3%A9%20x"],
  ["/v1/event-patterns/by-name/Deal%20won%2Flost", "/v1/event-patterns/by-name/Deal%20won%2Flost"],
  ["/v1/event-patterns/by-name/a..b%5c%2F...c?x=%2F", "/v1/event-patterns/by-name/a..b%5c%2F...c?x=%2F"],
])(
  "%s goes to the email service as %s, so that lane and rate limit are those of the operation",
  async (given, path) => {
    expect((await ask(given)).path).toBe(path);
  },
);

it.each([
  "/v1/contacts%2ffind",
  "/v1/contacts%2Ffind",
  "/v1/x%5c..%5cinbox",
  "/v1/x%5C",
  "/v1/%2f",
  "/v1/%2e%2e%2fadmin",
  "/v1/event-patterns/by-name/..%2f..%2f..%2fadmin",
  "/v1/event-patterns/by-name/x%2f%2e%2e%2fy",
  "/v1/event-patterns/by-name/x%5c..",
  "/v1/event-patterns/by-name/x%2fy/z",
  "/v1/event-patterns/by-id/x%2fy",
])("%s is refused: the email service may decode its slash", async (given) => {
  const { response, path } = await ask(given);
  expect([response.status, await response.json(), path]).toEqual([
    404,
    expect.objectContaining({ success: false, code: "not_found" }),
    undefined,
  ]);
});

it("passes no header on that leads to the email service's own address or into a cache", async () => {
  const kept = {
    "content-type": "application/json",
    "retry-after": "3",
    "x-ratelimit-remaining": "4",
    "x-request-id": "r",
  };
  const dropped = {
    location: "https://host.internal/",
    "content-location": "/x",
    refresh: "0;url=/x",
    link: "</x>; rel=next",
    "cache-control": "public, max-age=60",
    expires: "0",
    pragma: "x",
    age: "5",
    "clear-site-data": '"*"',
    "set-cookie": "a=b",
    "access-control-allow-origin": "*",
    "access-control-allow-credentials": "true",
  };
  const { response } = await ask("/v1/lists", { status: 302, headers: Object.entries({ ...kept, ...dropped }) });
  expect(Object.fromEntries(response.headers)).toEqual({ ...kept, "cache-control": "no-store" });
});

const askAsOperator = async (path: string, headers: Record<string, string>) => {
  const forwarded: { request: Forward; wait: number }[] = [];
  const forward = async (request: Forward, wait: number) => {
    forwarded.push({ request, wait });
    return { status: 200, headers: [], body: undefined };
  };
  const env = {
    EMAIL_API_KEY: KEY,
    ADMIN_TOKEN: "an-admin-token-of-the-tests",
    OUTBOX: { getByName: () => ({ forward }) },
  };
  const response = await app.request(`/admin${path}`, { headers }, env as unknown as Env);
  return { status: response.status, forwarded };
};

it("forwards for ADMIN_TOKEN under /admin, in the lowest lane, with the team's key and without the token", async () => {
  const headers = { Authorization: "Bearer an-admin-token-of-the-tests", "X-Mailspan-Actor": "ada", Prefer: "wait=25" };
  const { status, forwarded } = await askAsOperator("/v1/contacts/find?email=a@b.example", headers);
  expect(status).toBe(200);
  expect(forwarded).toMatchObject([
    { request: { method: "GET", path: "/v1/contacts/find?email=a@b.example", lane: "backfill" }, wait: 25_000 },
  ]);
  expect(forwarded[0]?.request.headers).toEqual([["authorization", `Bearer ${KEY}`]]);
});

it("forwards nothing under /admin for the team's own key, or for another token", async () => {
  for (const token of [KEY, "wrong", ""]) {
    const { status, forwarded } = await askAsOperator("/v1/lists", { Authorization: `Bearer ${token}` });
    expect({ status, forwarded }).toEqual({ status: 401, forwarded: [] });
  }
});

it.each(["/v1/%2e%2e%2fadmin", "/v1/x%5cy", "/v1//lists"])(
  "refuses /admin%s, which the email service may decode to another path",
  async (path) => {
    const { status, forwarded } = await askAsOperator(path, { Authorization: "Bearer an-admin-token-of-the-tests" });
    expect({ status, forwarded }).toEqual({ status: 404, forwarded: [] });
  },
);
