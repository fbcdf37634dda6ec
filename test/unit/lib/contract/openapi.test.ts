import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openApi } from "../../../../scripts/openapi.ts";
import { hasBody, operationsOf } from "../../../../src/lib/contract/operation.ts";
import { v1 } from "../../../../src/lib/contract/v1.ts";

const committed = readFileSync(join(import.meta.dirname, "../../../..", "openapi.json"), "utf8");

it("openapi.json matches the contract; if not: npm run openapi", () => {
  expect(committed).toBe(openApi());
});

it("names every operation once, with its request, its success and its refusals", () => {
  const { openapi, paths } = JSON.parse(committed);
  expect(openapi).toBe("3.1.0");
  for (const { name, operation } of operationsOf(v1)) {
    const described = paths[`/v1${operation.path}`][operation.method.toLowerCase()];
    expect(described.operationId).toBe(name);
    expect(described.requestBody !== undefined).toBe(hasBody(operation));
    const shown = described.requestBody?.content["application/json"].example ?? {};
    const examples = (described.parameters ?? []).filter((parameter: object) => "example" in parameter);
    const given = Object.fromEntries(
      examples.map((one: { name: string; example: unknown }) => [one.name, one.example]),
    );
    expect({ ...given, ...shown }, name).toEqual(operation.example);
    expect(operation.request.safeParse(operation.example).error, name).toBeUndefined();
    const statuses = Object.keys(described.responses).map(Number);
    expect(statuses).toEqual(expect.arrayContaining([operation.status, 401, 429, ...operation.refusals]));
    const keys = (described.parameters ?? []).filter((parameter: { in: string }) => parameter.in === "header");
    expect(keys).toHaveLength(operation.idempotent ? 1 : 0);
  }
  const create = paths["/v1/contacts/create"].post.requestBody.content["application/json"].schema;
  expect(create.required).toEqual(["email"]);
  expect(create.properties.properties).toMatchObject({ type: "object" });
});
