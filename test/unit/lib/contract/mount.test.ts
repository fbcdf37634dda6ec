import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { clientOf } from "../../../../src/lib/contract/client.ts";
import { type ApiRequest, mount } from "../../../../src/lib/contract/mount.ts";
import { openApiOf } from "../../../../src/lib/contract/openapi.ts";
import { operation } from "../../../../src/lib/contract/operation.ts";

const add = operation({
  method: "POST",
  path: "/things/{thingId}",
  summary: "Add",
  request: z.object({ thingId: z.string(), size: z.number(), name: z.string().max(3, "must be short").optional() }),
  response: z.object({ success: z.literal(true) }),
  status: 201,
  refusals: [400],
  idempotent: true,
  maxBody: 100,
  example: { thingId: "t1", size: 2 },
});
const find = operation({
  method: "GET",
  path: "/things/{thingId}",
  summary: "Find",
  request: z.object({ thingId: z.string(), deep: z.string().optional() }),
  response: z.object({ success: z.literal(true) }),
  status: 200,
  refusals: [],
  example: { thingId: "t1" },
});
const remove = operation({
  method: "DELETE",
  path: "/things/{thingId}",
  summary: "Remove",
  request: z.object({
    thingId: z.string(),
    confirm: z.literal(true, "must be true"),
    policy: z.enum(["discard", "keep"]).optional(),
  }),
  response: z.undefined(),
  status: 204,
  refusals: [400, 404],
  body: true,
  example: { thingId: "t1", confirm: true },
});

const open = (authorized = true) => {
  const calls: ApiRequest[] = [];
  const app = new Hono();
  mount(
    app,
    "/v1",
    { things: { add, find, remove } },
    {
      authorize: async () => (authorized ? { auth: "me" } : { refusal: { code: "invalid_api_key", message: "No." } }),
      run: async (_, call) => {
        calls.push(call);
        if ("refusal" in call) return { refusal: call.refusal };
        return call.operation === "things.remove"
          ? { status: 204, body: undefined, headers: { "x-left": "9" } }
          : { status: 201, body: { success: true } };
      },
    },
  );
  const post = (body: BodyInit, headers: Record<string, string> = { "Content-Type": "application/json" }) =>
    app.request("/v1/things/t1", { method: "POST", headers, body });
  return { app, calls, post };
};

describe("mount", () => {
  it("passes on the parsed request with path, body and idempotency key", async () => {
    const { calls, post } = open();
    const response = await post('{"size":2,"extra":1}', {
      "Content-Type": "application/json; charset=utf-8",
      "Idempotency-Key": "k",
    });
    expect([response.status, await response.json()]).toEqual([201, { success: true }]);
    expect(calls).toEqual([{ operation: "things.add", idempotencyKey: "k", input: { thingId: "t1", size: 2 } }]);
  });

  it("reads a GET from path and query, and ignores an idempotency key", async () => {
    const { app, calls } = open();
    await app.request("/v1/things/a%2Fb?deep=yes", { headers: { "Idempotency-Key": "k" } });
    expect(calls).toEqual([{ operation: "things.find", input: { thingId: "a/b", deep: "yes" } }]);
  });

  it("reads the JSON body of a DELETE, or its query, and answers 204 without a body", async () => {
    const { app, calls } = open();
    const url = "/v1/things/t1?policy=keep";
    const headers = { "Content-Type": "application/json" };
    const response = await app.request(url, { method: "DELETE", headers, body: '{"confirm":true}' });
    expect([response.status, await response.text(), response.headers.get("x-left")]).toEqual([204, "", "9"]);
    expect(response.headers.get("Content-Type")).toBeNull();
    const input = { thingId: "t1", confirm: true, policy: "keep" };
    expect(calls).toEqual([{ operation: "things.remove", input }]);

    const refused = [
      await app.request(url, { method: "DELETE" }),
      await app.request(url, { method: "DELETE", headers, body: '{"confirm":false}' }),
      await app.request(url, { method: "DELETE", headers, body: "[]" }),
      await app.request(url, { method: "DELETE", body: '{"confirm":true}' }),
    ];
    const seen = await Promise.all(
      refused.map(async (answer) => {
        const { code, path } = (await answer.json()) as { code: string; path?: string };
        return [answer.status, code, path];
      }),
    );
    expect(seen).toEqual([
      [400, "invalid_request", "confirm"],
      [400, "invalid_request", "confirm"],
      [400, "invalid_json", undefined],
      [415, "unsupported_media_type", undefined],
    ]);
  });

  it("is understood by the client and the OpenAPI document: a DELETE with a body, and a 204", async () => {
    const { app, calls } = open();
    const contract = { things: { add, find, remove } };
    const api = clientOf(contract)({
      baseUrl: "https://host.test",
      apiKey: "k",
      fetch: async (url, init) => app.request(url, init),
      now: () => 0,
    });
    expect(await api.things.remove({ thingId: "a/b", confirm: true })).toBeUndefined();
    expect(calls).toEqual([{ operation: "things.remove", input: { thingId: "a/b", confirm: true } }]);
    const { paths } = openApiOf(contract, "/v1", { title: "Things", version: "1" }) as { paths: never };
    const described = (paths["/v1/things/{thingId}"] as Record<string, never>).delete;
    expect(described).toMatchObject({
      parameters: [{ name: "thingId", in: "path", example: "t1" }],
      requestBody: { required: false, content: { "application/json": { example: { confirm: true } } } },
      responses: { 204: { description: "Success" } },
    });
    expect(described).not.toHaveProperty("responses.204.content");
    expect(described).toHaveProperty("responses.415");
  });

  const json = { "Content-Type": "application/json" };
  it.each([
    ["a missing field", '{"name":"x"}', json, 400, "invalid_request", "size", "size is required."],
    ["a wrong type", '{"size":"2"}', json, 400, "invalid_request", "size", /^size: .*number/],
    [
      "a value that breaks a rule",
      '{"size":2,"name":"long"}',
      json,
      400,
      "invalid_request",
      "name",
      "name: must be short",
    ],
    ["a list", "[]", json, 400, "invalid_json", undefined, "The body must be a JSON object."],
    ["no JSON", "{", json, 400, "invalid_json", undefined, /^The body is not valid JSON/],
    ["no UTF-8", new Uint8Array([123, 255, 125]), json, 400, "invalid_json", undefined, /^The body is not valid JSON/],
    [
      "another content type",
      "size=2",
      { "Content-Type": "text/plain" },
      415,
      "unsupported_media_type",
      undefined,
      /application\/json/,
    ],
    ["no content type", new Uint8Array([123, 125]), {}, 415, "unsupported_media_type", undefined, /application\/json/],
    ["too much", `{"size":${"1".repeat(200)}}`, json, 413, "body_too_large", undefined, /100 bytes/],
    [
      "an empty key",
      "{}",
      { ...json, "Idempotency-Key": "" },
      400,
      "invalid_idempotency_key",
      "Idempotency-Key",
      /it has 0/,
    ],
    [
      "a long key",
      "{}",
      { ...json, "Idempotency-Key": "k".repeat(101) },
      400,
      "invalid_idempotency_key",
      "Idempotency-Key",
      /it has 101/,
    ],
  ] as const)("refuses %s", async (_, body, headers, status, code, path, message) => {
    const { post } = open();
    const response = await post(body, headers as Record<string, string>);
    const answer = (await response.json()) as Record<string, unknown>;
    expect([response.status, answer.success, answer.code, answer.path]).toEqual([status, false, code, path]);
    expect(answer.message).toMatch(message);
  });

  it("reads nothing of the request before the API key is checked", async () => {
    const { app, calls } = open(false);
    const response = await app.request("/v1/things/t1", {
      method: "POST",
      body: "{",
      headers: { "Content-Type": "text/plain" },
    });
    expect([response.status, calls]).toEqual([401, []]);
  });

  it("answers other methods on a known path with 405 and the allowed ones", async () => {
    const { app } = open();
    for (const method of ["PUT", "PATCH", "OPTIONS"]) {
      const response = await app.request("/v1/things/t1", { method });
      expect([response.status, response.headers.get("Allow")]).toEqual([405, "POST, GET, DELETE"]);
    }
    expect((await app.request("/v1/others")).status).toBe(404);
  });
});
