import { describe, expect, it } from "vitest";
import { v1 } from "../../../../src/lib/contract/v1.ts";
import { outcomeOfGatewayAnswer } from "../../../../src/outbox/dispatch/read-outcome.ts";
import { askForKey, attempt } from "../../../../src/outbox/dispatch/send-request.ts";
import type { ServiceRequest } from "../../../../src/outbox/dispatch/service-request.ts";
import type { Outcome } from "../../../../src/outbox/model/outcome.ts";

type Action = "contact" | "event" | "transactional" | "delete" | "search";
const ada = { email: "ada@example.com" };

const REQUESTS: Readonly<Record<Action, ServiceRequest["send"]>> = {
  contact: (api, signal) => api.contacts.update({ ...ada, firstName: "Ada" }, { signal }),
  event: (api, signal) => api.events.send({ ...ada, eventName: "x" }, { idempotencyKey: "k", signal }),
  transactional: (api, signal) => api.transactional.send({ ...ada, transactionalId: "t" }, { signal }),
  delete: (api, signal) => api.contacts.delete(ada, { signal }),
  search: (api, signal) => api.contacts.find(ada, { signal }),
};
const ACTIONS = Object.keys(REQUESTS) as Action[];

const networkOf = (answer: () => Response) => ({
  env: { EMAIL_API_URL: "https://host.test", EMAIL_API_KEY: "k" },
  now: () => 0,
  fetch: async () => answer(),
  timeout: () => new AbortController().signal,
});

const outcomeFor = (action: Action, answer: () => Response): Promise<Outcome> =>
  attempt(networkOf(answer), { send: REQUESTS[action] }, { action: action === "search" ? "contact" : action });

const html =
  (status: number, headers = {}) =>
  () =>
    new Response("<html>no</html>", { status, headers: { "Content-Type": "text/html", ...headers } });
const json =
  (status: number, body: unknown, headers = {}) =>
  () =>
    Response.json(body, { status, headers });
const refusal = (status: number, code?: string, message = "no") => json(status, { success: false, message, code });
const cut = (status: number) => () => new Response('{"success":false,"code":"idempotency_key_used","mess', { status });

const FOREIGN: readonly (readonly [string, () => Response])[] = [
  ...[200, 400, 401, 403, 404, 409, 410, 422, 429, 500, 503].map((status) => [`HTML ${status}`, html(status)] as const),
  ["200 with a status", json(200, { status: "ok" })],
  ["200 with a list of others", json(200, [{ status: "ok" }])],
  ["200 with success: false", refusal(200)],
  ["200 without a body", () => new Response("")],
  ["a cut 200", () => new Response('{"success":true')],
  ["a cut 404", cut(404)],
  ["a cut 409", cut(409)],
  ["404 without words", json(404, {})],
  ["404 of a framework", json(404, { error: "Not Found", status: 404 })],
  ...[400, 403, 404, 409, 410, 422].map(
    (status) => [`a gateway's ${status}`, json(status, { message: "no Route matched", request_id: "x" })] as const,
  ),
  ["a framework's code and message", json(404, { code: "rest_no_route", message: "No route was found" })],
  ["a redirect", () => new Response(null, { status: 307, headers: { Location: "https://host.test/" } })],
  ["a 404 that never ends", () => new Response("x".repeat(1_000_001), { status: 404 })],
];

describe.each(ACTIONS)("the outcome of %s", (action) => {
  it.each(FOREIGN)("is unknown after %s", async (_, answer) => {
    const outcome = await outcomeFor(action, answer);
    expect(outcome).toMatchObject({ kind: "unknown", foreign: true, status: answer().status });
  });

  it.each([
    ["ours", { success: false, code: "invalid_request", message: "no" }],
    ["published", { success: false, message: "no" }],
    ["published, with a path", { success: false, message: "no", path: "x", error: { path: "x", message: "no" } }],
    ["published, words under error", { success: false, message: "", error: { path: "x", reason: "no" } }],
  ])("has failed after a refusal in the form of the API: %s", async (_, body) => {
    expect(await outcomeFor(action, json(400, body))).toEqual({ kind: "failed", status: 400, message: "no" });
  });

  it.each([
    [401, "key_refused"],
    [403, "key_refused"],
    [404, action === "delete" ? "done" : "failed"],
    [408, "unknown"],
    [422, "failed"],
    [425, "unknown"],
    [429, "rate_limited"],
    [500, "unknown"],
  ])("follows the status of a refusal: %i is %s", async (status, kind) => {
    const outcome = await outcomeFor(action, refusal(status));
    expect(outcome).toMatchObject({ kind, status, message: "no" });
    expect(outcome).not.toHaveProperty("foreign");
  });

  it.each([[{ error: "Invalid API key" }], [{ message: "Invalid API key" }]])(
    "is a refused key after a published 401 without success, which a proxy may have given: %j",
    async (body) => {
      const message = "Invalid API key";
      expect(await outcomeFor(action, json(401, body))).toEqual({
        kind: "key_refused",
        status: 401,
        message,
        plain: true,
      });
      expect(await outcomeFor(action, json(401, { ...body, success: true }))).toMatchObject({ foreign: true });
    },
  );

  it("is done when a taken key says so, for deliveries with a key alone", async () => {
    const keyed = action === "event" || action === "transactional";
    const used = await outcomeFor(action, refusal(409, "idempotency_key_used"));
    expect(used.kind).toBe(keyed ? "done" : "failed");
    const busy = await outcomeFor(action, refusal(409, undefined, "A request with this key is in progress."));
    expect(busy.kind).toBe(keyed ? "unknown" : "failed");
  });

  it("is done after a success of its own form only", async () => {
    const own = await outcomeFor(action, json(200, { success: true, id: "id_1", more: 1 }));
    const found = await outcomeFor(action, json(200, [{ id: "c1", email: ada.email }]));
    if (action === "search") {
      expect(found).toEqual({ kind: "done", status: 200, found: [{ id: "c1", email: ada.email }] });
      expect(own.kind).toBe("unknown");
    } else {
      expect(own).toEqual({ kind: "done", status: 200, result: "id_1" });
      expect(found.kind).toBe("unknown");
    }
  });
});

describe("a foreign answer", () => {
  it("is described by status and type, never by its text", async () => {
    expect(await outcomeFor("event", html(404))).toEqual({
      kind: "unknown",
      status: 404,
      foreign: true,
      message:
        "Something in front of the email service answered 404 with a web page (text/html). Is EMAIL_API_URL the address of the API?",
      down: "404 with a web page (text/html)",
    });
  });

  it("delays its delivery for as long as a 429 asks, for a minute at most", async () => {
    expect(await outcomeFor("event", html(429, { "Retry-After": "7" }))).toMatchObject({
      kind: "unknown",
      wait: 7_000,
    });
    expect(await outcomeFor("event", html(429, { "Retry-After": "900" }))).toMatchObject({ wait: 60_000 });
    expect(await outcomeFor("event", html(503, { "Retry-After": "7" }))).not.toHaveProperty("wait");
  });
});

describe("what fails", () => {
  const failing = (error: Error): Promise<Outcome> =>
    outcomeFor("event", () => {
      throw error;
    });
  const named = (name: string, message: string) => Object.assign(new Error(message), { name });

  it.each([
    ["Network connection lost.", "connection refused or lost"],
    ["connect ECONNREFUSED 10.0.0.1:443: connection refused", "connection refused"],
    ["internal error; reference = 0123", "no connection, because the host name does not resolve or TLS fails,"],
    ["something about ada@example.com", "connection failed"],
  ])("is said without a name: %s", async (message, down) => {
    expect(await failing(new Error(message))).toMatchObject({ kind: "unknown", down });
    expect(await failing(named("TimeoutError", message))).toMatchObject({ kind: "unknown", down: "no answer in time" });
  });

  it.each([
    [refusal(503), { kind: "unknown", down: "503" }],
    [refusal(503, "overloaded"), { kind: "unavailable", status: 503, down: "503" }],
    [refusal(507, "storage_full"), { kind: "unavailable", status: 507, down: "507" }],
    [html(502), { kind: "unknown", foreign: true, down: "502 with a web page (text/html)" }],
    [html(530), { kind: "unknown", foreign: true, down: "530, the host name does not resolve" }],
  ])("is the status of an answer", async (answer, outcome) => {
    expect(await outcomeFor("event", answer)).toMatchObject(outcome);
  });

  it.each([
    ["another refusal", refusal(400)],
    ["a 409 in progress", refusal(409, undefined, "A request with this key is in progress.")],
    ["a foreign 429", html(429)],
  ])("is nothing for %s", async (_, answer) => {
    expect(await outcomeFor("event", answer)).not.toHaveProperty("down");
  });
});

describe("a key check", () => {
  it.each([
    ["the email service's success", json(200, { success: true, teamName: "Acme" }), "done"],
    ["a 401 of the email service", refusal(401), "key_refused"],
    ["a published 401", json(401, { success: false, error: "Invalid API key" }), "key_refused"],
    ["a published 401 without success", json(401, { error: "Invalid API key" }), "key_refused"],
    ["a 403 of the email service", refusal(403), "key_refused"],
    ["a 403 of a gateway", json(403, { message: "Forbidden" }), "unknown"],
    ["a web page with 200", html(200), "unknown"],
    ["a web page with 401", html(401), "unknown"],
    ["a 404: the email service does not have the operation", refusal(404), "unknown"],
    ["a 429 of the email service", refusal(429), "rate_limited"],
    ["a 500", refusal(500), "unknown"],
  ])("after %s", async (_, answer, kind) => {
    expect((await askForKey(networkOf(answer))).kind).toBe(kind);
  });
});

describe("a gateway answer", () => {
  it.each([
    ["a success of an unknown operation", json(200, { anything: 1 }), "done"],
    ["no content", () => new Response(null, { status: 204 }), "done"],
    ["a web page with 200", html(200), "unknown"],
    ["success: false with 200", refusal(200), "unknown"],
    ["a 401 of the email service", refusal(401), "key_refused"],
    ["a web page with 401", html(401), "unknown"],
    ["a 429 of the email service", refusal(429), "rate_limited"],
    ["a web page with 429", html(429), "unknown"],
    ["a 404 of the email service", refusal(404), "unknown"],
  ])("of %s", async (_, answer, kind) => {
    const text = await answer().text();
    expect(outcomeOfGatewayAnswer(answer(), text, undefined, true, 0).kind).toBe(kind);
  });

  it.each([
    ["a 405", 405, true],
    ["a 404 to HEAD", 404, true],
    ["a 503", 503, false],
  ])("without a body: %s", async (_, status, own) => {
    const outcome = outcomeOfGatewayAnswer(new Response(null, { status }), "", undefined, true, 0);
    expect(outcome.kind).toBe("unknown");
    expect("foreign" in outcome).toBe(!own);
  });

  it("without a body, of an operation that the contract has: a 404 is foreign, a 405 is not", () => {
    const outcomeFor404 = outcomeOfGatewayAnswer(new Response(null, { status: 404 }), "", v1.contacts.find, true, 0);
    expect(outcomeFor404).toMatchObject({ foreign: true });
    const outcomeFor405 = outcomeOfGatewayAnswer(new Response(null, { status: 405 }), "", v1.contacts.find, true, 0);
    expect(outcomeFor405).not.toHaveProperty("foreign");
  });

  it("of an operation with its own rate limit does not interrupt delivery", async () => {
    const answer = refusal(429);
    expect(outcomeOfGatewayAnswer(answer(), await answer().text(), undefined, false, 0).kind).toBe("unknown");
  });
});

describe("the address of another email service", () => {
  it.each([
    ["https://mail.example", true],
    ["https://mail.example:8443/v1", true],
    ["http://127.0.0.1:8788", true],
    ["http://localhost:8788", true],
    ["http://[::1]:8788", true],
    ["http://192.168.1.5", true],
    ["http://172.20.0.3", true],
    ["http://email:8788", true],
    ["http://host.docker.internal:8788", true],
    ["http://mail.example", false],
    ["http://10.mail.example", false],
    ["http://127.0.0.1.mail.example", false],
    ["http://172.32.0.3", false],
    ["http://[2001:db8::1]", false],
    ["http://key@mail.example/localhost", false],
    ["ftp://127.0.0.1", false],
    ["mail.example", false],
  ])("%s gets the API key: %s", async (url, sent) => {
    const asked: string[] = [];
    const network = {
      ...networkOf(json(200, { success: true })),
      env: { EMAIL_API_URL: url, EMAIL_API_KEY: "k" },
      fetch: async (to: string) => {
        asked.push(to);
        return Response.json({ success: true });
      },
    };
    const outcome = await attempt(network, { send: REQUESTS.contact }, { action: "contact" });
    expect(asked).toHaveLength(sent ? 1 : 0);
    if (!sent)
      expect(outcome).toMatchObject({ kind: "key_refused", message: expect.stringContaining("EMAIL_API_URL") });
  });
});
