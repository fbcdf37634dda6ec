import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { openApi } from "../../../../scripts/lib/openapi.ts";
import { hasBody, operationsOf } from "../../../../src/lib/contract/operation.ts";
import { EVENT_TYPES } from "../../../../src/lib/contract/outgoing-events.ts";
import { v1 } from "../../../../src/lib/contract/v1.ts";
import { defaultTheme } from "../../../../src/lib/lmx/language/theme.ts";
import { pictureTypes } from "../../../../src/lib/picture/picture.ts";

const committed = readFileSync(join(import.meta.dirname, "../../../..", "openapi.json"), "utf8");

it("openapi.json matches the contract; if not: npm run openapi", () => {
  expect(committed).toBe(openApi());
});

it("names every operation once, with its request, its success and its refusals", () => {
  const { openapi, paths, components } = JSON.parse(committed);
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
    for (const [status, answer] of Object.entries<{ $ref?: string }>(described.responses)) {
      const shared = components.responses[answer.$ref?.split("/").at(-1) ?? ""];
      expect(shared !== undefined, `${name} ${status}`).toBe(Number(status) >= 400);
    }
    const keys = (described.parameters ?? []).filter(({ $ref }: { $ref?: string }) => $ref?.endsWith("IdempotencyKey"));
    expect(keys).toHaveLength(operation.idempotent ? 1 : 0);
  }
  const create = paths["/v1/contacts/create"].post.requestBody.content["application/json"].schema;
  expect(create.required).toEqual(["email"]);
  expect(create.properties.properties).toMatchObject({ type: ["object", "null"] });
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
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const takes = (path: string, method: string, body: object) => ajv.validate(bodyOf(path, method), body);
  const email = "ada@example.com";
  for (const [path, method, rest] of [
    ["/v1/contacts/update", "put", {}],
    ["/v1/events/send", "post", { eventName: "signedUp" }],
  ] as const) {
    expect([{}, { email: null }].filter((who) => takes(path, method, { ...rest, ...who }))).toEqual([]);
    for (const who of [{ email }, { userId: "u" }, { email, userId: "u" }, { email, userId: null }])
      expect(takes(path, method, { ...rest, ...who }), JSON.stringify(who)).toBe(true);
  }
  const removed = [{ email }, { userId: "u", email: null }, {}, { email, userId: "u" }];
  expect(removed.map((who) => takes("/v1/contacts/delete", "post", who))).toEqual([true, true, false, false]);
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

it("takes null for each field of a body that may be left out, as published clients send it", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ ...JSON.parse(committed), $id: "openapi" });
  for (const { name, operation } of operationsOf(v1).filter(({ operation }) => hasBody(operation))) {
    const { content } = JSON.parse(committed).paths[`/v1${operation.path}`][operation.method.toLowerCase()].requestBody;
    const { schema, example } = content["application/json"];
    const absent = Object.keys(schema.properties).filter((key) => !schema.required.includes(key) && !(key in example));
    const body = { ...example, ...Object.fromEntries(absent.map((key) => [key, null])) };
    const at = ["paths", `/v1${operation.path}`, operation.method.toLowerCase(), "requestBody/content"];
    const pointer = at.map((part, n) => (n < 3 ? encodeURIComponent(part.replaceAll("/", "~1")) : part)).join("/");
    const validate = ajv.compile({ $ref: `openapi#/${pointer}/application~1json/schema` });
    expect(validate(body) ? undefined : validate.errors, name).toBeUndefined();
  }
});

it("has a name for each resource, and tells the forms of nodes and conditions apart by their type", () => {
  const { components } = JSON.parse(committed);
  const { schemas } = components;
  const resources = ["Contact", "MailingList", "TransactionalEmail", "EmailMessage", "Campaign", "AudienceSegment"];
  const others = ["Workflow", "Group", "Theme", "Component", "EventPattern", "Pagination", "Error"];
  expect(Object.keys(schemas)).toEqual(expect.arrayContaining([...resources, ...others]));
  const told = Object.entries<{ oneOf?: { $ref: string }[]; discriminator?: { mapping: object } }>(schemas).filter(
    ([, { oneOf }]) => oneOf,
  );
  expect(told.length).toBeGreaterThan(6);
  for (const [name, { oneOf, discriminator }] of told)
    expect(new Set(Object.values(discriminator?.mapping ?? {})), name).toEqual(new Set(oneOf?.map(({ $ref }) => $ref)));
  expect(Object.keys(schemas.WorkflowNode.discriminator.mapping)).toHaveLength(12);
  expect(schemas.ThemeStyles.properties.bodyXPadding).toEqual({ type: "number" });
  expect(Object.keys(schemas.ThemeStyleChanges.properties).toSorted()).toEqual(Object.keys(defaultTheme).toSorted());
});

it("describes each group of operations, types of pictures, and the tie of time and method", () => {
  const { tags, paths, components } = JSON.parse(committed);
  expect(tags.map(({ name }: { name: string }) => name)).toEqual([...Object.keys(v1), "webhooks"]);
  for (const { name, description } of tags) expect(description, name).toMatch(/^[A-Z].{10,80}\.$/);
  const { contentType } = paths["/v1/uploads"].post.requestBody.content["application/json"].schema.properties;
  expect(contentType.enum).toEqual(pictureTypes);
  expect(components.schemas.CampaignSchedulingRequest.properties.timestamp.description).toContain(
    "required for `schedule`",
  );
  expect(committed).not.toContain('{"type":"null"},{"type":"null"}');
});

it("has no null beside other types but in a list of types, and no indentation", () => {
  const inline = schemasIn(JSON.parse(committed)).filter(
    ({ anyOf }) => Array.isArray(anyOf) && anyOf.some(({ type }) => type === "null") && !anyOf.some(({ $ref }) => $ref),
  );
  expect(inline).toEqual([]);
  expect(committed.length).toBeLessThan(220_000);
});

it("describes every outgoing webhook with its body", () => {
  const { webhooks, components } = JSON.parse(committed);
  expect(Object.keys(webhooks)).toEqual(EVENT_TYPES);
  for (const type of EVENT_TYPES) {
    const { schema } = webhooks[type].post.requestBody.content["application/json"];
    const { properties, required } = components.schemas[schema.$ref.split("/").at(-1)];
    expect(properties.eventName.const).toBe(type);
    expect(required).toEqual(expect.arrayContaining(["eventName", "eventTime", "webhookSchemaVersion"]));
  }
});
