import { describe, expect, it, vi } from "vitest";
import type { Env } from "../../../src/env.ts";
import { bridgeContract } from "../../../src/lib/contract/admin/bridge.ts";
import { hasBody, type Operation, operationsOf, pathParameters } from "../../../src/lib/contract/operation.ts";

vi.mock("cloudflare:workers", () => ({ DurableObject: class {}, env: {} }));
vi.spyOn(console, "log").mockImplementation(() => {});
const { default: app } = await import("../../../src/index.ts");

const operations = operationsOf(bridgeContract);
const PATH = { webhookId: "wh_1", deliveryId: "wh_1.0", source: "stripe" };
const filled = (path: string) => path.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof PATH) => PATH[name]);

const bodyOf = ({ path, example }: Operation) =>
  Object.fromEntries(Object.entries(example).filter(([name]) => !pathParameters(path).includes(name)));

describe("the contract of the bridge's admin API", () => {
  it("has the routes of the bridge, and no other", () => {
    const inCode = app.routes
      .filter(({ path, method }) => path.startsWith("/admin/") && method !== "ALL")
      .map(({ method, path }) => `${method} ${path.slice("/admin".length)}`);
    const inContract = operations.map(
      ({ operation: { method, path } }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
    );
    expect([...new Set(inCode)].sort()).toEqual(inContract.sort());
  });

  it.each(operations)(
    "$name refuses a field that it does not have, in the query and in the body",
    async ({ operation }) => {
      const { method, path } = operation;
      const asked = [`${filled(path)}?zzz=1`, ...(hasBody(operation) ? [filled(path)] : [])];
      for (const at of asked) {
        const body = at.includes("?") ? {} : { body: JSON.stringify({ ...bodyOf(operation), zzz: 1 }) };
        const init = { method, headers: { Authorization: "Bearer an-admin-token-of-the-tests" }, ...body };
        const answer = await app.request(`/admin${at}`, init, { ADMIN_TOKEN: "an-admin-token-of-the-tests" } as Env);
        expect([at, answer.status, await answer.json()]).toMatchObject([
          at,
          400,
          { code: "invalid_request", path: "zzz" },
        ]);
      }
    },
  );

  it.each(operations)("$name has an example that it accepts", ({ operation }) => {
    expect(operation.request.safeParse(operation.example).error).toBeUndefined();
  });
});
