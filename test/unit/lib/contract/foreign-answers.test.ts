import { describe, expect, it } from "vitest";
import * as z from "zod";
import { clientOf, ForeignAnswerError } from "../../../../src/lib/contract/client.ts";
import { operationsOf } from "../../../../src/lib/contract/operation.ts";
import { v1 } from "../../../../src/lib/contract/v1.ts";

const PUBLISHED_CONTACT = { id: "c1", email: "ada@example.com", firstName: null, mailingLists: {}, plan: "pro" };

const ask = async (name: string, answer: () => Response): Promise<unknown> => {
  const [group = "", method = ""] = name.split(".");
  const client = clientOf(v1)({
    baseUrl: "https://host.test",
    apiKey: "k",
    fetch: async () => answer(),
    now: Date.now,
  });
  const methods = client as unknown as Record<string, Record<string, (input: object) => Promise<unknown>>>;
  const input = { eventPatternId: "p", eventName: "e", transactionalId: "t" };
  return methods[group]?.[method]?.(input).catch((thrown: unknown) => thrown);
};

const html = (status: number) => () =>
  new Response("<!doctype html><title>Just a moment</title>", { status, headers: { "Content-Type": "text/html" } });
const json = (status: number, text: string) => () =>
  new Response(text, { status, headers: { "Content-Type": "application/json" } });

type Schema = {
  properties?: { [name: string]: Schema };
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  $ref?: string;
  $defs?: { [id: string]: Schema };
  items?: Schema;
  type?: "string" | "boolean" | "number" | "integer" | "null";
};

const exampleOf = (schema: Schema, defs = schema.$defs ?? {}): unknown => {
  const { const: only, enum: some, anyOf, oneOf, allOf, $ref, properties, items, type } = schema;
  if (only !== undefined) return only;
  if (some) return some[0];
  if ($ref !== undefined) return exampleOf(defs[$ref.replace("#/$defs/", "")] ?? {}, defs);
  const [choice] = anyOf ?? oneOf ?? [];
  if (choice) return exampleOf(choice, defs);
  if (allOf) return Object.assign({}, ...allOf.map((part) => exampleOf(part, defs)));
  if (properties)
    return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, exampleOf(part, defs)]));
  if (items) return [exampleOf(items, defs)];
  return type === undefined ? {} : { string: "x", boolean: true, number: 1, integer: 1, null: null }[type];
};

const FOREIGN: readonly (readonly [string, () => Response, string])[] = [
  ...[200, 201, 400, 401, 403, 404, 409, 429].map((status) => {
    const message = `Something in front of the email service answered ${status} with a web page (text/html).`;
    return [`a web page with ${status}`, html(status), message] as const;
  }),
  [
    "a web page with 503",
    html(503),
    "The email service or something in front of it answered 503 with a web page (text/html).",
  ],
  ["another JSON object", json(200, '{"status":"ok"}'), "answered 200 with JSON that is not in the form of the API"],
  ["a list of others", json(200, '[{"status":"ok"}]'), "answered 200 with JSON that is not in the form of the API"],
  ["a number", json(200, "1"), "answered 200 with JSON that is not in the form of the API"],
  ["a failure as 200", json(200, '{"success":false,"message":"no"}'), "answered 200 with JSON that is not"],
  ["a success as 404", json(404, '{"success":true,"message":"yes"}'), "answered 404 with JSON that is not"],
  ["an error without words", json(400, '{"success":false}'), "answered 400 with JSON that is not"],
  ["an error of a framework", json(404, '{"error":"Not Found","status":404}'), "answered 404 with JSON that is not"],
  ["an error of an edge", json(403, '{"success":false,"errors":[{"message":"x"}]}'), "answered 403 with JSON that"],
  ["a cut success", json(200, '{"success":tr'), "answered 200 with JSON that is cut or broken (application/json)."],
  ["a cut refusal", json(404, '{"success":false,"message":"no su'), "answered 404 with JSON that is cut or broken"],
  [
    "a cut 409",
    json(409, '{"success":false,"code":"idempotency_key_used","mess'),
    "answered 409 with JSON that is cut",
  ],
  ["an empty success", () => new Response("", { status: 200 }), "answered 200 with an empty body"],
  ["an empty 404", () => new Response(null, { status: 404 }), "answered 404 with an empty body."],
  ["a redirect", () => new Response(null, { status: 302, headers: { Location: "/" } }), "answered 302 with an empty"],
  ["a text", () => new Response("OK"), "answered 200 with text that is not JSON (text/plain)."],
  ["too much", json(404, `{"message":"${"x".repeat(1_000_001)}"}`), "answered 404 with more than 1000000 bytes"],
];

const operations = operationsOf(v1)
  .filter(({ operation }) => operation.status !== 204)
  .map(({ name, operation }) => [name, operation] as const);

describe.each(operations)("the client, for %s", (name, { response, status }) => {
  it.each(FOREIGN)("believes no %s", async (_, answer, message) => {
    const error = await ask(name, answer);
    expect(error).toBeInstanceOf(ForeignAnswerError);
    expect((error as Error).message).toContain(message);
    expect((error as Error).message.length).toBeLessThan(160);
  });

  it("believes its own success, with fields that the contract does not have", async () => {
    const own = exampleOf(z.toJSONSchema(response, { unrepresentable: "any" }) as Schema);
    const more = Array.isArray(own) ? own : { ...(own as object), more: 1 };
    expect(await ask(name, json(status, JSON.stringify(more)))).toEqual(more);
  });
});

it("believes the published form of a contact, and an empty list", async () => {
  expect(await ask("contacts.find", json(200, JSON.stringify([PUBLISHED_CONTACT])))).toEqual([PUBLISHED_CONTACT]);
  expect(await ask("contacts.find", json(200, "[]"))).toEqual([]);
  expect(await ask("contacts.update", json(200, '{"success":true}'))).toEqual({ success: true });
});
