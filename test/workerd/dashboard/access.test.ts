import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Logins } from "../../../src/dashboard/worker/logins.ts";
import { ACCESS, accessHeader, accessTeam, SECONDS } from "./access-bench.ts";
import { advance, cookieOf, dashboard, isolated, START, TOKEN } from "./bench.ts";

isolated();

const MINUTE = 60_000;
const logins = () => (env as unknown as { LOGINS: DurableObjectNamespace<Logins> }).LOGINS.getByName("main");
const sessions = () =>
  runInDurableObject(logins(), (_, { storage }) => storage.sql.exec("SELECT who, proved FROM sessions").toArray());
const json = async (answer: Response) => [answer.status, await answer.json()];

type Team = Awaited<ReturnType<typeof accessTeam>>;
let team: Team;
beforeAll(async () => {
  team = await accessTeam();
});
beforeEach(() => {
  (team.context.cache as Map<string, unknown>).clear();
  team.fetched.length = 0;
});

const behindAccess = (changes: object = {}) => {
  const { ask, ...rest } = dashboard({ ...ACCESS, ...changes }, team.context);
  const logIn = async (assertion: string) =>
    ask("POST", "/api/session", { body: {}, headers: accessHeader(assertion) });
  const prove = (cookie: string, body: object, assertion?: string) =>
    ask("POST", "/api/session/prove", { cookie, body, ...(assertion ? { headers: accessHeader(assertion) } : {}) });
  return { ...rest, ask, logIn, prove };
};

describe("Cloudflare Access", () => {
  it("logs in the person that it has let through, with keys that are fetched once an hour", async () => {
    const { ask, logIn } = behindAccess();
    const answer = await logIn(await team.assertion());
    expect(await json(answer)).toEqual([201, expect.objectContaining({ who: "ada@example.com", role: "owner" })]);
    expect(await json(await ask("GET", "/api/about", { cookie: cookieOf(answer) }))).toEqual([
      200,
      expect.objectContaining({ access: true, me: expect.objectContaining({ who: "ada@example.com" }) }),
    ]);
    expect((await logIn(await team.assertion({ aud: ACCESS.ACCESS_AUD }))).status).toBe(201);
    expect(team.fetched).toEqual(["https://acme.cloudflareaccess.com/cdn-cgi/access/certs"]);
    advance(61 * MINUTE);
    expect((await logIn(await team.assertion())).status).toBe(201);
    expect(team.fetched).toHaveLength(2);
  });

  it("names a person whose address has letters of any alphabet to the halves, and in the audit", async () => {
    const { ask, logIn, bridge } = behindAccess();
    const cookie = cookieOf(await logIn(await team.assertion({ email: "Łukasz@пример.рф" })));
    expect((await ask("POST", "/api/bridge/deliveries/wh_1.0/retry", { cookie, body: {} })).status).toBe(200);
    expect(bridge.requests.map(({ headers }) => headers.get("X-Mailspan-Actor"))).toEqual(["łukasz@пример.рф"]);
    const { data } = (await (await ask("GET", "/api/audit?operation=bridge", { cookie })).json()) as {
      data: { who: string }[];
    };
    expect(data.map(({ who }) => who)).toEqual(["łukasz@пример.рф"]);
  });

  const wrong: Record<string, () => Promise<string> | string> = {
    "another issuer": () => team.assertion({ iss: "https://evil.cloudflareaccess.com" }),
    "no issuer": () => team.assertion({ iss: undefined }),
    "another audience": () => team.assertion({ aud: ["aud-of-another-application"] }),
    "no audience": () => team.assertion({ aud: undefined }),
    "an expiry that is over": () => team.assertion({ iat: SECONDS - 90_000, exp: SECONDS - 61 }),
    "no expiry": () => team.assertion({ exp: undefined }),
    "a beginning in the future": () => team.assertion({ nbf: SECONDS + 61 }),
    "no email, as of a service token": () => team.assertion({ email: undefined, common_name: "ci" }),
    "an empty email": () => team.assertion({ email: "" }),
    "an email that is no text": () => team.assertion({ email: ["ada@example.com"] }),
    "another key under the same name": () => team.foreign(),
    "a key that the team does not publish": () => team.assertion({}, { kid: "k2" }),
    "the algorithm none": () => team.unsigned(),
    "the public key as an HMAC secret": () => team.byPublicKey(),
    "the algorithm HS256 in the header alone": () => team.assertion({}, { alg: "HS256" }),
    "other claims under the signature of good ones": async () => {
      const [head, , tail] = (await team.assertion()).split(".");
      const [, claims] = (await team.assertion({ email: "eve@example.com" })).split(".");
      return [head, claims, tail].join(".");
    },
    "two parts": async () => (await team.assertion()).split(".").slice(0, 2).join("."),
    garbage: () => "garbage",
    nothing: () => "",
  };
  it.each(Object.keys(wrong))("opens no session for an assertion with %s", async (name) => {
    const { logIn } = behindAccess();
    const answer = await logIn((await wrong[name]?.()) ?? "");
    expect(await json(answer)).toEqual([401, expect.objectContaining({ code: "wrong_token" })]);
    expect(answer.headers.get("Set-Cookie")).toBeNull();
    expect(await sessions()).toEqual([]);
  });

  it.each(["ACCESS_TEAM", "ACCESS_AUD"])("opens nothing without %s, and no keys are asked for", async (missing) => {
    const { ask, logIn } = behindAccess({ [missing]: undefined });
    expect((await logIn(await team.assertion())).status).toBe(401);
    expect(team.fetched).toEqual([]);
    const cookie = cookieOf(await ask("POST", "/api/session", { body: { token: TOKEN } }));
    expect(await json(await ask("GET", "/api/about", { cookie }))).toMatchObject([200, { access: false }]);
  });

  it("opens nothing while its keys cannot be fetched", async () => {
    const context = { ...team.context, fetch: async () => new Response("down", { status: 503 }), cache: new Map() };
    const { ask } = dashboard(ACCESS, context);
    const headers = accessHeader(await team.assertion());
    expect((await ask("POST", "/api/session", { body: {}, headers })).status).toBe(401);
  });
});

describe("a proof with Cloudflare Access", () => {
  const erase = { body: { email: "ada@example.com" } };

  it("is as old as the assertion, also in a login", async () => {
    const { ask, logIn, prove } = behindAccess();
    const old = await team.assertion({ iat: SECONDS - 15 * 60 });
    const cookie = cookieOf(await logIn(old));
    expect(await sessions()).toEqual([{ who: "ada@example.com", proved: START - 15 * MINUTE }]);
    expect((await ask("POST", "/api/bridge/erase", { cookie, ...erase })).status).toBe(403);
    // If the assertion is as old as the login, it proves nothing.
    expect(await json(await prove(cookie, {}, old))).toEqual([
      403,
      expect.objectContaining({ code: "proof_required", message: expect.stringContaining("15 minutes") }),
    ]);
    expect((await prove(cookie, {}, await team.assertion({ iat: SECONDS - 14 * 60 }))).status).toBe(200);
    expect((await ask("POST", "/api/bridge/erase", { cookie, ...erase })).status).toBe(200);
    advance(MINUTE);
    expect((await ask("POST", "/api/bridge/erase", { cookie, ...erase })).status).toBe(403);
  });

  it("never makes a newer proof older, and never one of the future", async () => {
    const { logIn, prove } = behindAccess();
    const cookie = cookieOf(await logIn(await team.assertion({ iat: SECONDS + 3_600 })));
    expect(await sessions()).toEqual([{ who: "ada@example.com", proved: START }]);
    expect((await prove(cookie, {}, await team.assertion({ iat: SECONDS - 60 }))).status).toBe(200);
    expect(await sessions()).toEqual([{ who: "ada@example.com", proved: START }]);
  });

  it.each([
    ["without the time of its login", { iat: undefined }],
    ["with a time that is no number", { iat: "now" }],
  ])("%s proves nothing", async (_, changes) => {
    const { logIn, prove } = behindAccess();
    const assertion = await team.assertion(changes);
    const cookie = cookieOf(await logIn(assertion));
    expect(await sessions()).toEqual([{ who: "ada@example.com", proved: 0 }]);
    expect((await prove(cookie, {}, assertion)).status).toBe(403);
    expect((await prove(cookie, { token: TOKEN })).status).toBe(200);
  });

  it("is refused of another person, and without an assertion or with a wrong one", async () => {
    const { ask, prove } = behindAccess();
    const cookie = cookieOf(await ask("POST", "/api/session", { body: { token: TOKEN } }));
    advance(15 * MINUTE);
    const iat = { iat: SECONDS + 15 * 60 };
    expect(await json(await prove(cookie, {}, await team.assertion(iat)))).toEqual([
      401,
      expect.objectContaining({ code: "wrong_token", message: expect.stringContaining("another person") }),
    ]);
    for (const assertion of [undefined, await team.foreign(), "garbage"])
      expect(await json(await prove(cookie, {}, assertion))).toMatchObject([401, { code: "wrong_token" }]);
    expect(await sessions()).toEqual([{ who: "owner", proved: START }]);
    expect((await ask("POST", "/api/bridge/erase", { cookie, ...erase })).status).toBe(403);
  });
});
