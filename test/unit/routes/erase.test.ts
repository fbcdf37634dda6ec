import { afterEach, expect, it, vi } from "vitest";
import type { Env } from "../../../src/env.ts";

vi.mock("cloudflare:workers", () => ({ DurableObject: class {}, env: {} }));
vi.spyOn(console, "log").mockImplementation(() => {});
const { default: app } = await import("../../../src/index.ts");

// Tests of other files run in the same process.
afterEach(() => {
  vi.unstubAllGlobals();
});

const TOKEN = "the-admin-token-of-the-bridge";
const OURS = `ms_acme_${"0".repeat(32)}_${"a".repeat(24)}`;
const ADA = { email: "ada@example.com" };
const counts = { identifiers: 3, webhooks: 1, deliveries: 2, discarded: 0, links: 2 };
const erased = { contacts: 1, events: 2, sends: 3, discarded: 0, mails: 1 };
const body = {
  success: true,
  dryRun: false,
  finished: true,
  addresses: [],
  kept: { suppressions: 0 },
  message: "The person was erased.",
  erased,
};
const json = (status: number, given: object) => Response.json(given, { status });

type Sent = { url: string; token: string | null; by: (string | null)[]; body: unknown };

const bridge = (
  vars: Partial<Env>,
  {
    admin = () => json(200, body),
    v1 = () => json(200, { success: true }),
  }: { admin?: () => Response; v1?: () => Response } = {},
) => {
  const steps: string[] = [];
  const sent: Sent[] = [];
  const outbox = {
    erase: async (_: object, before: number | undefined, options: { dryRun?: boolean; keepLinks?: boolean } = {}) => {
      steps.push(options.keepLinks ? "journal" : before === undefined ? "count" : "links");
      const { identifiers: _identifiers, ...told } = counts;
      const found = { ...told, reached: [ADA, { userId: "user_ada_1" }, { ref: "stripe:cus_1" }], apart: [] };
      return options.keepLinks ? { ...found, links: 0, next: 1, linksKept: true } : found;
    },
    forward: async ({ body: given }: { body: string }) => {
      steps.push(`v1 ${given}`);
      const response = v1();
      return { status: response.status, headers: [], body: await response.arrayBuffer() };
    },
  };
  const fetchAdmin = async (url: string, init: RequestInit) => {
    steps.push("admin");
    const headers = new Headers(init.headers);
    const by = ["X-Mailspan-Actor", "X-Mailspan-Actor-Address"].map((name) => headers.get(name));
    sent.push({ url, token: headers.get("Authorization"), by, body: JSON.parse(String(init.body)) });
    return admin();
  };
  vi.stubGlobal("fetch", fetchAdmin);
  const env = {
    ADMIN_TOKEN: TOKEN,
    EMAIL_API_KEY: OURS,
    EMAIL: { fetch: fetchAdmin } as unknown as Fetcher,
    ...vars,
    OUTBOX: { getByName: () => outbox },
  } as unknown as Env;
  const erase = async (given: object) => {
    const headers = { Authorization: `Bearer ${TOKEN}`, "X-Mailspan-Actor": "grace", "CF-Connecting-IP": "192.0.2.1" };
    const init = { method: "POST", headers, body: JSON.stringify({ ...ADA, ...given }) };
    const response = await app.request("/admin/erase", init, env);
    return (await response.json()) as Record<string, unknown> & { message: string; notReached: string[] };
  };
  return { erase, steps, sent };
};

it("service: true gives the email service every identifier, and deletes the identity links last", async () => {
  const { erase, steps, sent } = bridge({});
  expect(await erase({ service: true })).toMatchObject({
    finished: true,
    next: null,
    erased: counts,
    message: "The email service: The person was erased.",
    service: erased,
  });
  expect(steps).toEqual(["journal", "admin", "links"]);
  expect(sent).toEqual([
    {
      url: "http://email/admin/teams/acme/erase",
      token: `Bearer ${TOKEN}`,
      by: ["grace", "192.0.2.1"],
      body: { emails: [ADA.email], userIds: ["user_ada_1"], dryRun: false },
    },
  ]);
});

it("a dry run with service: true counts what the email service would erase, and says what stays there", async () => {
  const { erase, steps } = bridge({});
  const told = await erase({ service: true, dryRun: true });
  expect(told).toMatchObject({ dryRun: true, finished: true, service: { sends: 3 } });
  expect(told.notReached[0]).toMatch(/^At the email service: /);
  expect(steps).toEqual(["count", "admin"]);
  expect((await bridge({}).erase({ dryRun: true })).notReached[0]).toMatch(/send service: true/);
});

it.each<[string, Partial<Env>, RegExp]>([
  ["a key of another email service", { EMAIL_API_KEY: "0123456789abcdef" }, /the v1 API has no way/],
  [
    "another email service of ours without its token",
    { EMAIL_API_URL: "https://mail.example" },
    /EMAIL_ADMIN_TOKEN.* is not set/,
  ],
  [
    "another email service of ours over plain http",
    { EMAIL_API_URL: "http://mail.example", EMAIL_ADMIN_TOKEN: "theirs" },
    /EMAIL_API_URL must be an https address/,
  ],
])("without an admin API (%s) only the contact is deleted, and the answer says so", async (_, vars, reason) => {
  const { erase, steps, sent } = bridge(vars);
  const told = await erase({ service: true });
  expect(told).toMatchObject({ finished: true });
  expect(told).not.toHaveProperty("service");
  expect(told.message).toMatch(/The contact was removed from the email service too\. Its sends were not reached: /);
  expect(told.message).toMatch(reason);
  expect(sent).toEqual([]);
  expect(steps).toEqual(["journal", `v1 ${JSON.stringify(ADA)}`, 'v1 {"userId":"user_ada_1"}', "links"]);
  const dry = await erase({ service: true, dryRun: true });
  expect(dry.message).toMatch(/would delete the contact\. Its sends were not reached/);
  expect(dry.notReached[0]).toMatch(reason);
});

it("EMAIL_ADMIN_TOKEN opens the admin API of another email service of ours", async () => {
  const { erase, sent } = bridge({ EMAIL_API_URL: "https://mail.example/v1/", EMAIL_ADMIN_TOKEN: "theirs" });
  expect(await erase({ service: true })).toMatchObject({ finished: true, service: { contacts: 1 } });
  expect(sent[0]).toMatchObject({
    url: "https://mail.example/admin/teams/acme/erase",
    token: "Bearer theirs",
    by: [null, null],
  });
});

it.each<[string, () => Response, RegExp]>([
  [
    "refuses the token",
    () => json(401, { success: false, code: "invalid_api_key", message: "no" }),
    /refuses the token; set EMAIL_ADMIN_TOKEN/,
  ],
  ["is older", () => json(404, { success: false, code: "not_found", message: "There is nothing." }), /no erasure yet/],
])("deletes the contact by the v1 API if the admin API %s", async (_, admin, reason) => {
  const { erase, steps } = bridge({}, { admin });
  const told = await erase({ service: true });
  expect(told).toMatchObject({ finished: true });
  expect(told.message).toMatch(reason);
  expect(steps).toEqual(["journal", "admin", `v1 ${JSON.stringify(ADA)}`, 'v1 {"userId":"user_ada_1"}', "links"]);
});

it.each<[string, () => Response, RegExp]>([
  [
    "a mail is in flight",
    () => json(200, { ...body, finished: false, message: "A mail is in flight." }),
    /A mail is in flight/,
  ],
  [
    "a page in front answers 404",
    () => new Response("<html>", { status: 404 }),
    /answered 404, but not as the email service does/,
  ],
  ["a page in front answers 200", () => json(200, { status: "ok" }), /answered 200, but not as the email service does/],
  [
    "it gives no answer",
    () => {
      throw new Error("gone");
    },
    /gave no answer/,
  ],
])("is not finished where %s, and keeps the identity links for the repeat", async (_, admin, reason) => {
  const { erase, steps } = bridge({}, { admin });
  const told = await erase({ service: true });
  expect(told).toMatchObject({ finished: false, next: "1", erased: { ...counts, links: 0 } });
  expect(told.message).toMatch(/^Not finished\. Repeat the request with this `next` as `cursor`\. /);
  expect(told.message).toMatch(reason);
  expect(steps).toEqual(["journal", "admin"]);
});

it.each<[string, number, object, boolean, RegExp]>([
  [
    "has no contact",
    404,
    { success: false, code: "contact_not_found", message: "none" },
    true,
    /has no contact of this person/,
  ],
  [
    "is behind a gateway without the path",
    404,
    { message: "no Route" },
    false,
    /could not be removed .*in front of the email service/,
  ],
  ...[400, 401, 403, 408, 425, 429].map((status): [string, number, object, boolean, RegExp] => [
    `refuses with ${status}`,
    status,
    { success: false, message: "not you" },
    false,
    /could not be removed .*not you/,
  ]),
  ["fails", 500, { success: false, message: "broken" }, false, /could not be removed .*broken/],
])("by the v1 API alone, an email service that %s is reported as that", async (_, status, given, finished, reason) => {
  const { erase, steps } = bridge({ EMAIL_API_KEY: "0123456789abcdef" }, { v1: () => json(status, given) });
  const told = await erase({ service: true });
  expect(told.finished).toBe(finished);
  expect(steps.includes("links")).toBe(finished);
  expect(told.message).toMatch(reason);
});
