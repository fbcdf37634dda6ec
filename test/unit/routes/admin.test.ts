import { describe, expect, it, vi } from "vitest";
import type { Env } from "../../../src/env.ts";

vi.mock("cloudflare:workers", () => ({ DurableObject: class {}, env: {} }));
vi.spyOn(console, "log").mockImplementation(() => {});
const { default: app } = await import("../../../src/index.ts");

const TOKEN = "the-right-token-of-the-tests";

const routes = [
  ...new Set(
    app.routes
      .filter(({ path, method }) => path.startsWith("/admin") && method !== "ALL")
      .map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, "wh_1")}`),
  ),
];

const bridge = (vars: Partial<Env> = { ADMIN_TOKEN: TOKEN }) => {
  const asked: string[] = [];
  const stub = new Proxy(
    {},
    {
      get: (_, name) => async () => {
        if (name === "noteAct") return;
        asked.push(String(name));
        throw new Error("no Outbox here");
      },
    },
  );
  const env = { ...vars, OUTBOX: { getByName: () => stub } } as unknown as Env;
  const send = async (route: string, authorization?: string, body?: string) => {
    const [method = "", path = ""] = route.split(" ");
    const headers = authorization === undefined ? {} : { Authorization: authorization };
    const response = await app.request(path, { method, headers, ...(body === undefined ? {} : { body }) }, env);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: text.startsWith("{") ? JSON.parse(text) : undefined,
    };
  };
  return { asked, send };
};

describe("no cache may keep an answer", () => {
  it.each([
    "GET /admin/status",
    "GET /admin/nothing",
    "POST /admin/erase",
    "GET /v1/contacts/find",
    "POST /v1/nothing",
  ])("of %s: refused, failed, or not found", async (route) => {
    const { send } = bridge({ ADMIN_TOKEN: TOKEN, EMAIL_API_KEY: TOKEN });
    for (const authorization of [undefined, "Bearer wrong", `Bearer ${TOKEN}`])
      expect((await send(route, authorization)).headers.get("Cache-Control")).toBe("no-store");
  });
});

describe("every admin route", () => {
  it("is in this list", () => {
    expect(routes).toEqual(
      expect.arrayContaining([
        "GET /admin/webhooks",
        "GET /admin/webhooks/wh_1",
        "GET /admin/deliveries",
        "GET /admin/status",
        "POST /admin/deliveries/retry",
        "POST /admin/deliveries/wh_1/retry",
        "POST /admin/deliveries/wh_1/discard",
        "POST /admin/deliveries/wh_1/send-again",
        "POST /admin/webhooks/wh_1/replay",
        "POST /admin/replay",
        "POST /admin/pause",
        "POST /admin/resume",
        "POST /admin/erase",
        "GET /admin/suppression",
      ]),
    );
  });

  describe.each(routes)("%s", (route) => {
    const body = route.startsWith("POST") ? "{}" : undefined;

    it.each([
      ["without a token", undefined],
      ["with a wrong token", "Bearer wrong-token"],
      ["with an empty token", "Bearer "],
      ["with the right token in another scheme", `Basic ${TOKEN}`],
      ["with the right token and more", `Bearer ${TOKEN}x`],
      ["with its beginning", `Bearer ${TOKEN.slice(0, -1)}`],
    ])("%s is refused without a delivery to the Outbox", async (_, authorization) => {
      const { send, asked } = bridge();
      const { status, json } = await send(route, authorization, body);
      expect(status).toBe(401);
      expect(["missing_api_key", "invalid_api_key"]).toContain(json?.code);
      expect(asked.filter((name) => name !== "wrongTokens")).toEqual([]);
    });

    it("refuses every request where ADMIN_TOKEN is not set", async () => {
      for (const vars of [{}, { ADMIN_TOKEN: "" }]) {
        const { send, asked } = bridge(vars);
        for (const given of [undefined, "Bearer ", "Bearer undefined"])
          expect((await send(route, given, body)).status).toBe(401);
        expect(asked).toEqual([]);
      }
    });

    it("accepts the right token", async () => {
      const { send } = bridge();
      expect((await send(route, `Bearer ${TOKEN}`, body)).status).not.toBe(401);
    });
  });
});

describe("an unknown path or method", () => {
  it.each<[route: string, allow: string]>([
    ["GET /admin/erase", "POST"],
    ["DELETE /admin/webhooks", "GET"],
    ["POST /admin/webhooks/wh_1", "GET"],
    ["GET /admin/deliveries/wh_1.0/send-again", "POST"],
    ["PUT /admin/metrics", "GET"],
  ])("%s: 405 with the path and the allowed methods", async (route, allow) => {
    const { asked, send } = bridge();
    const { status, json, headers } = await send(route, `Bearer ${TOKEN}`);
    expect({ status, allow: headers.get("Allow") }).toEqual({ status: 405, allow });
    const [method] = route.split(" ");
    expect(json).toEqual({
      success: false,
      code: "method_not_allowed",
      message: `${method} is not allowed here; use ${allow}.`,
    });
    expect(asked).toEqual([]);
  });

  it.each(["GET /admin", "GET /admin/webhook", "GET /admin/deliveries/wh_1.0/"])(
    "%s: 404 that names the path, with the right token only",
    async (route) => {
      const { send } = bridge();
      expect(await send(route, `Bearer ${TOKEN}`)).toMatchObject({
        status: 404,
        json: { code: "not_found", message: expect.stringContaining("There is nothing at GET /admin") },
      });
      expect((await send(route)).status).toBe(401);
    },
  );
});

describe("an error of the Outbox", () => {
  it("is logged without its message, which may quote stored data", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    const env = {
      ADMIN_TOKEN: TOKEN,
      OUTBOX: {
        getByName: () => ({
          show: async () => JSON.parse('{"name":Lovelace}'),
        }),
      },
    } as unknown as Env;
    const headers = { Authorization: `Bearer ${TOKEN}` };
    expect((await app.request("/admin/webhooks/wh_1", { headers }, env)).status).toBe(500);
    const lines = log.mock.calls.flat().join("\n");
    expect(lines).toContain('"error":"SyntaxError"');
    expect(lines).not.toContain("Lovelace");
  });
});

describe("a wrong parameter is named with what it must be, without a delivery to the Outbox", () => {
  it.each<[route: string, body: object | string | undefined, code: string, message: RegExp]>([
    ["GET /admin/webhooks?emal=a@b.c", undefined, "invalid_request", /^emal: is not a field of this request/],
    ["GET /admin/webhooks?xyz=1", undefined, "invalid_request", /^xyz: is not a field of this request/],
    ["GET /admin/webhooks?email=ada", undefined, "invalid_request", /^email must be an email address/],
    ["GET /admin/webhooks?userId=%20", undefined, "invalid_request", /^userId must be a text of 1 to 500/],
    ["GET /admin/webhooks?state=lost", undefined, "invalid_request", /^state must be one or more of waiting/],
    ["GET /admin/webhooks?since=yesterday", undefined, "invalid_request", /^since must be a time such as/],
    ["GET /admin/webhooks?since=0d", undefined, "invalid_request", /^since /],
    ["GET /admin/webhooks?since=1d&until=2d", undefined, "invalid_request", /^until: must be later than since/],
    ["GET /admin/webhooks?limit=0", undefined, "invalid_request", /^limit must be a whole number from 1 to 100/],
    ["GET /admin/webhooks?limit=1e3", undefined, "invalid_request", /^limit /],
    ["GET /admin/webhooks?cursor=-", undefined, "invalid_request", /^cursor must be the `next`/],
    ["GET /admin/webhooks?type=a&type=b", undefined, "invalid_request", /^type: must be given only once/],
    ["GET /admin/webhooks/wh_1?body=maybe", undefined, "invalid_request", /^body must be true or false/],
    ["GET /admin/webhooks/wh_1?limit=1", undefined, "invalid_request", /^limit: is not a field of this request/],
    ["GET /admin/webhooks/nonsense", undefined, "not_found", /An id looks like wh_abc/],
    ["GET /admin/deliveries?action=mail", undefined, "invalid_request", /^action must be one of contact, event/],
    ["GET /admin/status?x=1", undefined, "invalid_request", /^x: is not a field of this request/],
    ["GET /admin/suppression", undefined, "invalid_request", /Exactly one of email and userId/],
    ["GET /admin/suppression?email=a@b.c&userId=1", undefined, "invalid_request", /Exactly one of email and userId/],
    ["POST /admin/deliveries/retry", { dryRun: "perhaps" }, "invalid_request", /^dryRun must be true or false/],
    ["POST /admin/deliveries/retry", { dryrun: false }, "invalid_request", /^dryrun: is not a field/],
    [
      "POST /admin/deliveries/retry?dryRun=false",
      {},
      "invalid_request",
      /^dryRun: send the fields of a POST in its body/,
    ],
    ["POST /admin/deliveries/retry", "[1]", "invalid_json", /must be a JSON object/],
    ["POST /admin/deliveries/retry", "{", "invalid_json", /not valid JSON/],
    [
      "POST /admin/deliveries/retry",
      `{"rule":"${"x".repeat(1_000_001)}"}`,
      "body_too_large",
      /larger than 1000000 bytes/,
    ],
    ["POST /admin/deliveries/nonsense/retry", {}, "not_found", /looks like wh_abc\.0/],
    ["POST /admin/deliveries/wh_1/retry", {}, "not_found", /looks like wh_abc\.0/],
    [
      "POST /admin/deliveries/wh_1.0/retry",
      { confirm: true },
      "invalid_request",
      /^confirm: is not a field of this request/,
    ],
    [
      "POST /admin/deliveries/wh_1.0/send-again",
      { confirm: "yes" },
      "invalid_request",
      /^confirm must be true or false/,
    ],
    ["POST /admin/replay", { actions: ["mail"] }, "invalid_request", /^actions must be one or more of contact/],
    ["POST /admin/replay", { actions: [] }, "invalid_request", /^actions must be one or more of contact/],
    ["POST /admin/replay", { email: "a@b.c" }, "invalid_request", /^email: is not a field of this request/],
    ["POST /admin/replay", { since: 7 }, "invalid_request", /^since must be a time/],
    ["POST /admin/webhooks/nonsense/replay", {}, "not_found", /An id looks like wh_abc/],
    ["POST /admin/webhooks/wh_1/replay", { since: "1d" }, "invalid_request", /^since: is not a field of this request/],
    ["POST /admin/pause", { sources: ["stripe"] }, "invalid_request", /^sources: is not a field/],
    ["POST /admin/erase", {}, "invalid_request", /Exactly one of email and userId/],
    ["POST /admin/erase", { email: 7 }, "invalid_request", /^email must be an email address/],
    ["POST /admin/erase", { email: "a@b.c", service: "yes" }, "invalid_request", /^service must be true or false/],
  ])("%s (%#)", async (route, body, code, message) => {
    const { send, asked } = bridge();
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const { status, json } = await send(route, `Bearer ${TOKEN}`, text);
    expect(json).toMatchObject({ success: false, code, message: expect.stringMatching(message) });
    expect(status).toBe({ not_found: 404, body_too_large: 413 }[code] ?? 400);
    expect(asked).toEqual([]);
  });

  it("but an unknown source is looked up among the paused ones, because it may have been removed from the configuration", async () => {
    const { send, asked } = bridge();
    await send("POST /admin/resume", `Bearer ${TOKEN}`, '{"source":"strip"}');
    expect(asked).toEqual(["status"]);
  });
});
