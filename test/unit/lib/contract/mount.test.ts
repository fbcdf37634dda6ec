import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { clientOf } from "../../../../src/lib/contract/client.ts";
import { mount } from "../../../../src/lib/contract/mount.ts";
import { openApiOf } from "../../../../src/lib/contract/openapi.ts";
import { act, read } from "../../../../src/lib/contract/operation.ts";
import type { ApiRequest } from "../../../../src/lib/contract/read-request.ts";

const add = act("editor", {
  method: "POST",
  path: "/things/{thingId}",
  summary: "Add",
  danger: false,
  request: z.object({ thingId: z.string(), size: z.number(), name: z.string().max(3, "must be short").optional() }),
  response: z.object({ success: z.literal(true) }),
  status: 201,
  refusals: [400],
  idempotent: true,
  maxBody: 100,
  example: { thingId: "t1", size: 2 },
});
const find = read("viewer", {
  path: "/things/{thingId}",
  summary: "Find",
  request: z.object({ thingId: z.string(), deep: z.string().optional() }),
  response: z.object({ success: z.literal(true) }),
  status: 200,
  refusals: [],
  example: { thingId: "t1" },
});
const remove = act("editor", {
  method: "DELETE",
  path: "/things/{thingId}",
  summary: "Remove",
  danger: false,
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

  it("answers at the former path of an operation as at its own", async () => {
    const app = new Hono();
    const list = read("viewer", {
      path: "/things",
      formerPath: "/items",
      summary: "List",
      status: 200,
      refusals: [],
      example: {},
      request: z.object({ deep: z.string().optional() }),
      response: z.object({ data: z.unknown() }),
    });
    mount(
      app,
      "/v1",
      { things: { list } },
      {
        authorize: async () => ({ auth: "me" }),
        run: async (_, request) => ("refusal" in request ? request : { status: 200, body: { data: request } }),
      },
    );
    const at = async (path: string, method = "GET") => {
      const response = await app.request(path, { method });
      return [response.status, response.headers.get("Allow"), await response.json()];
    };
    expect(await at("/v1/items?deep=yes")).toEqual(await at("/v1/things?deep=yes"));
    expect(await at("/v1/items", "POST")).toEqual([
      405,
      "GET",
      expect.objectContaining({ code: "method_not_allowed" }),
    ]);
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
      await app.request(url, { method: "DELETE", headers: { "Content-Type": "text/html" }, body: '{"confirm":true}' }),
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
      requestBody: { required: true, content: { "application/json": { example: { confirm: true } } } },
      responses: { 204: { description: "Success" } },
    });
    expect(described).not.toHaveProperty("responses.204.content");
    expect(described).toHaveProperty("responses.415");
  });

  const json = { "Content-Type": "application/json" };
  type Refused = [
    what: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string>,
    status: number,
    code: string,
    path: string | undefined,
    message: string | RegExp,
  ];
  const unsupported = (headers: Record<string, string>, message: string | RegExp): Refused => [
    ...([`a body with ${JSON.stringify(headers)}`, '{"size":2}', headers] as const),
    ...([415, "unsupported_media_type", undefined, message] as const),
  ];
  it.each<Refused>([
    ["a missing field", '{"name":"x"}', json, 400, "invalid_request", "size", "size is required."],
    ["a wrong type", '{"size":"2"}', json, 400, "invalid_request", "size", "size: must be a number"],
    ["a null that is needed", '{"size":null}', json, 400, "invalid_request", "size", "size: must be a number"],
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
    ["no UTF-8", new Uint8Array([123, 255, 125]), json, 400, "invalid_json", undefined, "The body is not valid UTF-8."],
    ...["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp", "*/*", ";"].map(
      (type) =>
        unsupported(
          { "Content-Type": type },
          `The body is sent as ${type}. Send JSON, with Content-Type: application/json.`,
        ),
    ),
    ...["application/json;charset=utf-16", 'text/plain; charset="ISO-8859-1"'].map((type) =>
      unsupported(
        { "Content-Type": type },
        /^The body is sent in the charset (utf-16|ISO-8859-1)\. Send it in UTF-8\.$/,
      ),
    ),
    unsupported(
      { ...json, "Content-Encoding": "gzip" },
      "The body is sent with Content-Encoding: gzip. Send it without an encoding.",
    ),
    ...(
      [
        ["a text", '{"size":2,"name":"\\ud83d"}', "name"],
        ["a text in capitals", '{"size":2,"name":"x\\uDE00"}', "name"],
        ["a field", '{"size":2,"\\ud83d":1}', "\ufffd"],
        ["a text in a list", '{"size":2,"more":[{"a":"\\ud83d\\ud83d"}]}', "more.0.a"],
      ] as const
    ).map(
      ([where, body, path]): Refused => [
        `half of a surrogate pair in ${where}`,
        body,
        json,
        400,
        "invalid_request",
        path,
        `${path}: must be well-formed Unicode text; it has half of a surrogate pair.`,
      ],
    ),
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
  ])("refuses %s", async (_, body, headers, status, code, path, message) => {
    const { post } = open();
    const response = await post(body, headers);
    const answer = (await response.json()) as Record<string, unknown>;
    expect([response.status, answer.success, answer.code, answer.path]).toEqual([status, false, code, path]);
    expect(answer.message).toMatch(message);
  });

  it.each<[string, string | Uint8Array<ArrayBuffer>, Record<string, string>]>([
    ["no content type", '{"size":2}', {}],
    ["text/plain", '{"size":2}', { "Content-Type": "text/plain;charset=UTF-8" }],
    ["a charset in quotes", '{"size":2}', { "Content-Type": 'application/json; charset="utf8"' }],
    ["a charset without a name", '{"size":2}', { "Content-Type": "application/json; charset=" }],
    ["identity as its encoding", '{"size":2}', { ...json, "Content-Encoding": "identity" }],
    ["a byte order mark", new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode('{"size":2}')]), json],
    ["a whole surrogate pair", '{"size":2,"name":"\\ud83d\\ude00"}', json],
    ["null for a field that takes none", '{"size":2,"name":null}', json],
  ])("reads a body with %s", async (_, body, headers) => {
    const { calls, post } = open();
    // A Blob without a type: fetch adds no Content-Type.
    expect((await post(new Blob([body]), headers)).status).toBe(201);
    expect(calls).toMatchObject([{ input: { thingId: "t1", size: 2 } }]);
  });

  it("takes an empty query value as not given", async () => {
    const { app, calls } = open();
    await app.request("/v1/things/t1?deep");
    await app.request("/v1/things/t1?deep=");
    expect(calls.map((call) => "input" in call && call.input)).toEqual([{ thingId: "t1" }, { thingId: "t1" }]);
  });

  it.each(["%ED%A0%80", "%FF", "a%C3", "x&deep=%ED%B0%80"])(
    "refuses a query that is not UTF-8: deep=%s",
    async (value) => {
      const { app, calls } = open();
      expect((await app.request(`/v1/things/t1?deep=${value}`)).status).toBe(400);
      const refusal = { code: "invalid_request", path: "deep", message: "deep: must be percent-encoded UTF-8" };
      expect(calls).toEqual([{ operation: "things.find", refusal }]);
    },
  );

  it("takes a percent sign in the query that begins no escape as it is", async () => {
    const { app, calls } = open();
    await app.request("/v1/things/t1?deep=100%&x=%zz");
    expect(calls).toEqual([{ operation: "things.find", input: { thingId: "t1", deep: "100%" } }]);
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
