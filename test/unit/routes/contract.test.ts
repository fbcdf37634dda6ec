import { describe, expect, it, vi } from "vitest";
import type { Env } from "../../../src/env.ts";
import { bridgeContract } from "../../../src/lib/contract/admin/bridge.ts";
import { hasBody, type Operation, operationsOf, pathParameters } from "../../../src/lib/contract/operation.ts";

vi.mock("cloudflare:workers", () => ({ DurableObject: class {}, env: {} }));
vi.spyOn(console, "log").mockImplementation(() => {});
const { default: app } = await import("../../../src/index.ts");

const operations = operationsOf(bridgeContract);
const fieldsOf = ({ request }: Operation): string[] => Object.keys((request as { shape?: object }).shape ?? {});
const PATH = { webhookId: "wh_1", callId: "wh_1.0", source: "stripe" };
const filled = (path: string) => path.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof PATH) => PATH[name]);

const knownTo = async ({ method, path, ...operation }: Operation): Promise<string[]> => {
  const inBody = hasBody({ method, ...operation });
  const url = `/admin${filled(path)}${inBody ? "" : "?zzzzzzzzzzzz=1"}`;
  const init = { method, headers: { Authorization: "Bearer token" } };
  const env = { ADMIN_TOKEN: "token" } as Env;
  const answer = await app.request(url, { ...init, ...(inBody ? { body: '{"zzzzzzzzzzzz":1}' } : {}) }, env);
  const { error } = (await answer.json()) as { error: { code: string; message: string } };
  expect({ path, code: error.code }).toEqual({ path, code: "invalid_parameter" });
  return /Known: (.*)\.$/.exec(error.message)?.[1]?.split(", ") ?? [];
};

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

  it.each(operations)("$name takes the fields that its route takes", async ({ operation }) => {
    const inPath = pathParameters(operation.path);
    const own = fieldsOf(operation).filter((name) => !inPath.includes(name));
    expect((await knownTo(operation)).sort()).toEqual(own.sort());
  });

  it.each(operations)("$name has an example that it accepts", ({ operation }) => {
    expect(operation.request.safeParse(operation.example).error).toBeUndefined();
  });
});
