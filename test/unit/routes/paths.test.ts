import { expect, it, vi } from "vitest";
import { signedSample } from "../../../scripts/samples/samples.ts";
import { encodeResult } from "../../../src/outbox/intake/rpc-text.ts";

vi.mock("cloudflare:workers", () => ({ DurableObject: class {}, env: {} }));
vi.spyOn(console, "log").mockImplementation(() => {});
const { default: app } = await import("../../../src/index.ts");

const env = {
  STRIPE_WEBHOOK_SECRET: "whsec_test",
  OUTBOX: {
    getByName: () => ({
      accept: async () => encodeResult({ receipts: [{ id: "wh_1", duplicate: false, deliveries: 1 }] }),
      refused: async () => {},
    }),
  },
};

const post = async (url: string, isSigned = true) => {
  const { raw, headers } = await signedSample("stripe", "invoice.paid", { secret: "whsec_test", now: Date.now() });
  const answer = await app.request(url, { method: "POST", body: raw, headers: isSigned ? headers : {} }, env);
  const { error } = (await answer.json()) as { error?: { code: string } };
  return [answer.status, error?.code, answer.headers.get("Strict-Transport-Security")];
};

it.each([
  ["the usual path", "/hooks/stripe", 202, undefined],
  ["a query", "/hooks/stripe?from=stripe", 202, undefined],
  ["an encoded name", "/hooks/%73tripe", 202, undefined],
  ["an unknown source", "/hooks/nothing", 404, "unknown_source"],
  ["a name of every object", "/hooks/constructor", 404, "unknown_source"],
  ["a secret in the path, where none is taken", "/hooks/stripe/secret", 404, "unknown_source"],
  ["a slash at the end", "/hooks/stripe/", 404, "unknown_source"],
  ["a slash after an unknown source", "/hooks/nothing/", 404, "unknown_source"],
  ["a longer path", "/hooks/stripe/a/b", 404, "not_found"],
])("answers a webhook at %s, and forbids http over https", async (_, path, status, code) => {
  expect(await post(`https://bridge.example.com${path}`)).toEqual([status, code, "max-age=31536000"]);
  expect(await post(`http://127.0.0.1:8787${path}`)).toEqual([status, code, null]);
});

it("names the address of a source that was given a longer one, and counts it as its own", async () => {
  const { doorOf, routesOf } = await import("../../../src/routes/hooks.ts");
  const { sources } = await import("../../../src/sources.ts");
  const counted: { source: string; code: string }[] = [];
  const refused = async (all: typeof counted) => void counted.push(...all);
  const told = async (path: string) => {
    const works: Promise<unknown>[] = [];
    const context = { waitUntil: (work: Promise<unknown>) => void works.push(work), passThroughOnException: () => {} };
    const now = Date.now();
    const door = doorOf(sources, { now: () => now, urlOf: ({ url }) => url, fetch, sleep: async () => {} });
    const own = { ...env, OUTBOX: { getByName: () => ({ refused }) } };
    const answer = await routesOf(door).request(path, { method: "POST", body: "{}" }, own, context as never);
    await Promise.all(works);
    return ((await answer.json()) as { error: { message: string } }).error.message;
  };
  expect(await told("/stripe/")).toBe("The address ends with a slash. Send to /hooks/stripe.");
  expect(await told("/stripe/a-secret")).toBe(
    "The address goes on after the name of the source, which takes no secret there. Send to /hooks/stripe.",
  );
  expect(await told("/nothing/")).toContain('There is no source "nothing".');
  expect(counted.map(({ source, code }) => `${source} ${code}`)).toEqual([
    "stripe unknown_source",
    "stripe unknown_source",
    "(unknown) unknown_source",
  ]);
});

it("refuses an unsigned webhook at the usual path, and other methods", async () => {
  expect(await post("https://bridge.example.com/hooks/stripe", false)).toEqual([
    401,
    "missing_signature",
    "max-age=31536000",
  ]);
  const answer = await app.request("http://127.0.0.1/hooks/stripe", { method: "DELETE" }, env);
  expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "POST"]);
});

it("answers 500 at the usual path when something unexpected is thrown", async () => {
  const broken = {
    get STRIPE_WEBHOOK_SECRET() {
      throw new Error("secret text");
    },
  };
  const answer = await app.request("https://bridge.example.com/hooks/stripe", { method: "POST", body: "{}" }, broken);
  const text = await answer.text();
  expect([answer.status, text.includes("internal_error"), text.includes("secret text")]).toEqual([500, true, false]);
  expect(answer.headers.get("Strict-Transport-Security")).toBe("max-age=31536000");
});
