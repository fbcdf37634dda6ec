import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openApi } from "../../../../scripts/lib/openapi.ts";
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

const schemasIn = (value: unknown): Record<string, unknown>[] => {
  if (typeof value !== "object" || value === null) return [];
  return [value as Record<string, unknown>, ...Object.values(value).flatMap(schemasIn)];
};

/** Pattern parts that Python's `re` or Go's RE2 lack: lookaround, Unicode classes, `\u`, `\/` and backreferences. */
const UNPORTABLE = /\(\?(?!:)|\\[pPuc/kB1-9]|\(\?<|\[\^?\]/;

it("has patterns that Python's re and RE2 understand", () => {
  const patterns = schemasIn(JSON.parse(committed)).flatMap(({ pattern }) =>
    typeof pattern === "string" ? pattern : [],
  );
  expect(new Set(patterns).size).toBeGreaterThan(3);
  expect(patterns.filter((pattern) => UNPORTABLE.test(pattern))).toEqual([]);
  for (const planted of [String.raw`\p{L}`, "(?=a)", "(?<!a)", String.raw`\u0041`, String.raw`(a)\1`])
    expect(planted).toMatch(UNPORTABLE);
});

it("says what the service checks: addresses, one of two identifiers, pages and names of properties", () => {
  const { paths } = JSON.parse(committed);
  const bodyOf = (path: string, method: string) => paths[path][method].requestBody.content["application/json"].schema;
  const either = [{ required: ["email"] }, { required: ["userId"] }];
  expect(bodyOf("/v1/contacts/update", "put").anyOf).toEqual(either);
  expect(bodyOf("/v1/events/send", "post").anyOf).toEqual(either);
  expect(bodyOf("/v1/contacts/delete", "post").oneOf).toEqual(either);
  for (const path of ["/v1/contacts/find", "/v1/contacts/suppression"])
    expect(paths[path].get.description).toBe("Name the contact by email or by userId, not by both.");

  for (const [path, method] of [
    ["/v1/contacts/create", "post"],
    ["/v1/transactional", "post"],
  ] as const)
    expect(bodyOf(path, method).properties.email).toMatchObject({ format: "email", maxLength: 254 });
  expect(bodyOf("/v1/contacts/create", "post").propertyNames).toEqual({
    pattern: "^[a-z][A-Za-z0-9]*$",
    maxLength: 80,
  });
  const perPage = schemasIn(paths).filter(({ name }) => name === "perPage");
  expect(perPage).toHaveLength(11);
  for (const { schema } of perPage) {
    const { pattern } = schema as { pattern: string };
    const accepted = ["9", "10", "20", "50", "51", "010", "1e1"].filter((text) => new RegExp(pattern).test(text));
    expect(accepted).toEqual(["10", "20", "50"]);
  }
});
