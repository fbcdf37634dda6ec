import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bridgeContract } from "../../../src/lib/contract/admin/bridge.ts";
import { adminContract } from "../../../src/lib/contract/admin/email.ts";
import { type Contract, operationsOf } from "../../../src/lib/contract/operation.ts";
import { v1 } from "../../../src/lib/contract/v1.ts";
import { dashboard, isolated } from "./bench.ts";

isolated();

const listed = (contract: Contract, prefix = ""): (readonly [method: string, path: string])[] =>
  operationsOf(contract).map(({ operation: { method, path } }) => [method, `${prefix}${path}`]);

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

const OPERATIONS = {
  bridge: [...listed(bridgeContract), ...listed(v1, "/v1")],
  email: [
    ...listed(adminContract),
    ...listed(v1, "/teams/{team}/v1"),
    ["GET", "/teams/{team}/suppressions.csv"] as const,
    ["GET", "/teams/{team}/campaigns/{campaignId}/recipients.csv"] as const,
    ["GET", "/teams/{team}/uploads/{uploadId}/file"] as const,
    ["PUT", "/teams/{team}/uploads/{uploadId}/file"] as const,
  ],
} as const;

const isOperationOf = (half: keyof typeof OPERATIONS) => (request: string) =>
  OPERATIONS[half].some(([method, path]) =>
    new RegExp(`^${method} /admin${path.replaceAll(".", "\\.").replaceAll(/\{[^}]+\}/g, "[^/]+")}$`).test(request),
  );

describe("an operation of a half", () => {
  it.each(["bridge", "email"] as const)(
    "is the only one that a path means, so the half runs the one that was judged: %s",
    (half) => {
      const isSame = (a: string, b: string) => a.startsWith("{") || b.startsWith("{") || a === b;
      const all = OPERATIONS[half].map(([method, path]) => [method, ...path.split("/").slice(1)]);
      const both = all.flatMap((one, at) =>
        all
          .slice(at + 1)
          .filter(
            (other) => other.length === one.length && one.every((part, place) => isSame(part, other[place] ?? "")),
          )
          .map((other) => [one.join("/"), other.join("/")]),
      );
      expect(both).toEqual([]);
    },
  );

  it("never reaches a path outside of the tables, whatever the path is", async () => {
    const { ask, logIn, bridge, email } = dashboard();
    const cookie = await logIn();
    const odd = fc.oneof(
      fc.constantFrom(
        "..",
        ".",
        "%2e%2e",
        "%2E.",
        "..%2f",
        "%2f",
        "%5c",
        "\\",
        "//",
        "",
        "%00",
        "%252e%252e%252f",
        "?",
        "#",
      ),
      fc.constantFrom(
        "teams",
        "acme",
        "v1",
        "keys",
        "webhooks",
        "deliveries",
        "retry",
        "admin",
        "hooks",
        "contacts",
        "find",
      ),
      fc.string({ unit: "binary", maxLength: 6 }),
    );
    const half = fc.constantFrom("bridge" as const, "email" as const);
    const anything = fc.record({ half, method: fc.constantFrom(...METHODS), pieces: fc.array(odd, { maxLength: 8 }) });
    const nearly = half.chain((one) =>
      fc
        .record({
          operation: fc.constantFrom(...OPERATIONS[one]),
          filling: fc.array(odd, { minLength: 4, maxLength: 4 }),
        })
        .chain(({ operation: [method, path], filling }) => {
          const given = filling.values();
          const pieces = path
            .split("/")
            .slice(1)
            .map((part) => (part.startsWith("{") ? (given.next().value ?? "") : part));
          return fc.record({
            half: fc.constant(one),
            method: fc.oneof(fc.constant(method), fc.constantFrom(...METHODS)),
            pieces: fc.oneof(
              fc.constant(pieces),
              odd.map((more) => [...pieces, more]),
              fc.tuple(fc.nat(pieces.length - 1), odd).map(([at, other]) => pieces.with(at, other)),
            ),
          });
        }),
    );
    let hits = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(anything, nearly), async ({ half: one, method, pieces }) => {
        bridge.requests.length = 0;
        email.requests.length = 0;
        // Encoded once, so that the pieces above keep their form.
        const path = encodeURI(pieces.join("/")).replaceAll("%25", "%");
        const body = method === "GET" ? {} : { body: {} };
        const answer = await ask(method, `/api/${one}/${path}`, { cookie, ...body });
        expect(answer.status).toBeLessThan(500);
        const other = one === "bridge" ? email : bridge;
        expect(other.requests).toEqual([]);
        const [reached] = (one === "bridge" ? bridge : email).requests;
        if (!reached) return;
        hits += 1;
        const { pathname } = new URL(reached.url);
        expect(`${reached.method} ${pathname}`).toSatisfy(isOperationOf(one));
        expect(pathname.split("/").map(decodeURIComponent)).not.toContain("..");
      }),
      { numRuns: 800 },
    );
    expect(hits).toBeGreaterThan(50);
  });
});
