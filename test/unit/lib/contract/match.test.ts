import { expect, it } from "vitest";
import * as z from "zod";
import { matcherOf, routesOf } from "../../../../src/lib/contract/match.ts";
import { operationsOf, read } from "../../../../src/lib/contract/operation.ts";
import { v1 } from "../../../../src/lib/contract/v1.ts";

const at = matcherOf(routesOf(v1, "/v1"));

it("finds every operation of the contract by its method and path", () => {
  for (const { name, operation } of operationsOf(v1)) {
    const path = `/v1${operation.path.replaceAll(/\{\w+\}/g, "a%2Fb")}`;
    expect(at(operation.method, path)?.name).toBe(name);
    expect(at(operation.method, `${path}/?perPage=10`)?.name).toBe(name);
  }
});

it.each([
  ["GET", "/v1/contacts/update"],
  ["PUT", "/v1/contacts/updates"],
  ["PUT", "/contacts/update"],
  ["PUT", "/v1/campaigns"],
  ["GET", "/v1/event-patterns/by-name/a/b"],
])("finds nothing for %s %s", (method, path) => {
  expect(at(method, path)).toBeUndefined();
});

it("prefers a path without parameters, in any order of the contract", () => {
  const common = { summary: "", response: z.unknown(), status: 200, refusals: [] } as const;
  const get = (path: `/${string}`) =>
    read("viewer", { path, request: z.record(z.string(), z.string()), example: {}, ...common });
  const things = { byId: get("/things/{id}"), mine: get("/things/mine") };
  const find = matcherOf(routesOf({ things }, "/teams/{team}", "own."));
  expect(find("GET", "/teams/acme/things/mine")).toMatchObject({ name: "own.things.mine", ids: { team: "acme" } });
  expect(find("GET", "/teams/acme/things/a%2Fb")).toMatchObject({
    name: "own.things.byId",
    ids: { team: "acme", id: "a%2Fb" },
  });
});
