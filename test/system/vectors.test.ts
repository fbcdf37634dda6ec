import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listHandlers } from "../handlers.ts";
import { LEFT_OUT, setUp, type Vector, vectors } from "../vectors.ts";
import { startEverySource } from "./every-source-worker.ts";

let door: Awaited<ReturnType<typeof startEverySource>>;

beforeAll(async () => {
  door = await startEverySource();
});
afterAll(() => door.stop());

const nameOf = ({ provider, name }: Vector) => `${provider}: ${name}`;
const tried = vectors.filter((vector) => !Object.hasOwn(LEFT_OUT, nameOf(vector)));

const UNVERIFIED = [
  "missing_signature",
  "invalid_signature",
  "stale_timestamp",
  "source_not_configured",
  "key_unavailable",
];
/** Codes by status of a vector with a right signature. No rule is here that sends mail. */
const ACCEPTED: Readonly<Record<number, readonly string[]>> = {
  200: ["none"],
  202: ["none"],
  204: ["none"],
  400: ["unexpected_body", "invalid_json"],
  422: ["no_mail"],
};
const WITHOUT_VECTOR: Readonly<Record<string, string>> = {
  rudderstack: "a shared secret in a header, as generic-secret",
  posthog: "a shared secret in a header, as generic-secret",
  firebase: "Google's tokens cannot be made by others; test/unit/lib/signature/kinds/jwt.test.ts signs its own",
  paypal: "PayPal's key is its own; test/unit/lib/signature/kinds/paypal.test.ts signs with another",
};

describe("each of the vendors' vectors, sent to the running Worker", () => {
  it.each(tried.map((vector) => [nameOf(vector), vector.valid ? "accepted" : "refused", vector] as const))(
    "%s is %s",
    async (_name, _verdict, vector) => {
      const query = vector.method === "GET" ? new URL(vector.url ?? "", "https://x.test").search : "";
      const token = vector.provider === "gumroad" ? new URL(vector.url ?? "").pathname.split("/").at(-1) : undefined;
      const response = await door.send(
        vector.provider,
        {
          method: vector.method ?? "POST",
          headers: vector.headers,
          body: vector.rawBody,
          query,
          ...(token === undefined ? {} : { token }),
        },
        {
          now: vector.now * 1000,
          ...setUp(vector),
          ...(vector.url?.startsWith("https:") ? { url: vector.url } : {}),
        },
      );
      const text = await response.text();
      const code = /"code":"(\w+)"/.exec(text)?.[1] ?? "none";
      if (vector.valid) {
        expect(UNVERIFIED).not.toContain(code);
        expect(ACCEPTED[response.status]).toContain(code);
      } else {
        expect(response.status).toBe(401);
        expect(UNVERIFIED).toContain(code);
      }
      if (vector.expectedStatus) expect(response.status).toBe(vector.expectedStatus);
      if (vector.expectedResponseBody) expect(text).toBe(vector.expectedResponseBody);
    },
  );
});

it("sends every vector that is not listed as left out, for every provider", async () => {
  const names = vectors.map(nameOf);
  expect(Object.keys(LEFT_OUT).filter((name) => !names.includes(name))).toEqual([]);
  expect(tried.length + Object.keys(LEFT_OUT).length).toBe(157);
  const handlers = Object.keys(await listHandlers()).sort();
  expect([...new Set([...vectors.map(({ provider }) => provider), ...Object.keys(WITHOUT_VECTOR)])].sort()).toEqual(
    handlers,
  );
});
