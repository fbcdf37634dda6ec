import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { Logins } from "../../../src/dashboard/worker/logins.ts";
import { advance, cookieOf, dashboard, isolated, START, TOKEN } from "./bench.ts";

isolated();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const logins = () => (env as unknown as { LOGINS: DurableObjectNamespace<Logins> }).LOGINS.getByName("main");
const rowsOf = (table: string) =>
  runInDurableObject(logins(), (_, { storage }) => storage.sql.exec(`SELECT * FROM ${table}`).toArray());
const bodyOf = async (answer: Response | Promise<Response>) =>
  (await answer).json() as Promise<Record<string, unknown>>;

describe("a login", () => {
  it("takes the admin token and gives a session that is good for 12 hours", async () => {
    const { ask } = dashboard();
    const answer = await ask("POST", "/api/session", { body: { token: TOKEN } });
    expect([answer.status, await answer.json()]).toEqual([
      201,
      { who: "owner", role: "owner", expires: new Date(START + 12 * HOUR).toISOString() },
    ]);
    expect(answer.headers.get("Set-Cookie")).toMatch(
      /^__Host-ms=[0-9a-f]{64}\.[\w-]{22}; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=43200$/,
    );
    expect(await bodyOf(ask("GET", "/api/session", { cookie: cookieOf(answer) }))).toMatchObject({ who: "owner" });
  });

  it.each([
    ["another token", { token: `${TOKEN}x` }, 401, "wrong_token", "token"],
    ["no token", {}, 401, "wrong_token", "token"],
    ["a field that it does not have", { password: "x" }, 400, "invalid_request", "password"],
  ])("refuses %s", async (_, body, status, code, path) => {
    const answer = await dashboard().ask("POST", "/api/session", { body });
    expect([answer.status, await answer.json()]).toEqual([status, expect.objectContaining({ code, path })]);
    expect(answer.headers.get("Set-Cookie")).toBeNull();
    expect(await rowsOf("sessions")).toEqual([]);
  });

  it.each([
    ["", "is not set"],
    ["short", "has fewer than 24 characters"],
  ])("is refused while ADMIN_TOKEN is %j, also with that token", async (token, words) => {
    const answer = await dashboard({ ADMIN_TOKEN: token }).ask("POST", "/api/session", { body: { token } });
    expect([answer.status, await answer.json()]).toEqual([
      503,
      expect.objectContaining({ code: "admin_token_unusable", message: expect.stringContaining(words) }),
    ]);
  });

  it("is refused over http, where others could read the session, but for this machine", async () => {
    const { ask } = dashboard();
    const body = { token: TOKEN };
    const far = await ask("POST", "/api/session", { body, origin: "http://dashboard.example.com" });
    expect([far.status, await bodyOf(far)]).toEqual([400, expect.objectContaining({ code: "https_required" })]);
    for (const origin of ["http://127.0.0.1:8786", "http://localhost:8786", "http://[::1]:8786"]) {
      const near = await ask("POST", "/api/session", { body, origin });
      expect(near.headers.get("Set-Cookie")).toMatch(/^ms=\S+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
      expect((await ask("GET", "/api/session", { cookie: cookieOf(near), origin })).status).toBe(200);
    }
  });

  it("stops the wrong tokens of an address after ten in 15 minutes, and never the right one", async () => {
    const { ask } = dashboard();
    const attempt = (token: string, ip: string) =>
      ask("POST", "/api/session", { body: { token }, headers: { "CF-Connecting-IP": ip } });
    const all = await Promise.all(Array.from({ length: 30 }, () => attempt("wrong", "192.0.2.1")));
    expect(all.filter(({ status }) => status === 401)).toHaveLength(10);
    const stopped = await attempt("wrong", "192.0.2.1");
    expect([stopped.status, stopped.headers.get("Retry-After")]).toEqual([429, "900"]);
    expect(await stopped.json()).toMatchObject({ message: expect.stringContaining("The right secret gets in") });
    expect((await attempt(TOKEN, "192.0.2.1")).status).toBe(201);
    expect((await attempt("wrong", "192.0.2.2")).status).toBe(401);
    expect((await attempt(TOKEN, "192.0.2.2")).status).toBe(201);
    advance(15 * MINUTE);
    expect((await attempt("wrong", "192.0.2.1")).status).toBe(401);
  });

  it("counts an IPv6 network as one address", async () => {
    const { ask } = dashboard();
    for (let host = 0; host < 10; host += 1) {
      const headers = { "CF-Connecting-IP": `2001:db8:1:2::${host}` };
      expect((await ask("POST", "/api/session", { body: { token: "wrong" }, headers })).status).toBe(401);
    }
    const headers = { "CF-Connecting-IP": "2001:db8:1:2:ffff::1" };
    expect((await ask("POST", "/api/session", { body: { token: "wrong" }, headers })).status).toBe(429);
  });

  it("counts no right login, and keeps the wrong ones: a login or a proof of one person lets no other guess on", async () => {
    const { ask, logIn } = dashboard();
    const status = async (token: string) => (await ask("POST", "/api/session", { body: { token } })).status;
    for (let n = 0; n < 9; n += 1) {
      expect(await status("wrong")).toBe(401);
      const cookie = await logIn();
      expect((await ask("POST", "/api/session/prove", { cookie, body: { token: TOKEN } })).status).toBe(200);
    }
    expect(await status("wrong")).toBe(401);
    expect([await status("wrong"), await status(TOKEN), await status("wrong")]).toEqual([429, 201, 429]);
    advance(15 * MINUTE);
    expect(await status("wrong")).toBe(401);
  });
});

describe("the link of npm start", () => {
  const codeAt = (at: number) => `${at.toString(36)}.aRandomPart`;

  it("logs in once", async () => {
    const code = codeAt(START - MINUTE);
    const { ask } = dashboard({ LOGIN_CODE: code });
    const first = await ask("POST", "/api/session", { body: { code } });
    expect([first.status, await first.json()]).toEqual([201, expect.objectContaining({ who: "local" })]);
    const second = await ask("POST", "/api/session", { body: { code } });
    expect([second.status, await second.json()]).toEqual([401, expect.objectContaining({ code: "login_code_used" })]);
  });

  it.each([
    ["older than ten minutes", codeAt(START - 10 * MINUTE), codeAt(START - 10 * MINUTE)],
    ["another one", codeAt(START), `${START.toString(36)}.other`],
    ["not configured", undefined, codeAt(START)],
    ["empty", "", ""],
  ])("is refused when it is %s", async (_, configured, code) => {
    const answer = await dashboard({ LOGIN_CODE: configured }).ask("POST", "/api/session", { body: { code } });
    expect(answer.status).toBe(401);
  });
});

describe("a session", () => {
  it("is refused without a cookie, and with one that is forged, before the Logins is asked", async () => {
    const { ask } = dashboard();
    const cookie = "__Host-ms=".concat("a".repeat(64), ".", "b".repeat(32));
    for (const given of [undefined, cookie, "__Host-ms=", "__Host-ms=x.y", "ms=x"]) {
      const answer = await ask("GET", "/api/session", given === undefined ? {} : { cookie: given });
      expect([answer.status, await answer.json()]).toEqual([
        401,
        expect.objectContaining({ code: "session_required" }),
      ]);
    }
    const asked = vi.spyOn((env as unknown as { LOGINS: DurableObjectNamespace }).LOGINS, "getByName");
    await ask("GET", "/api/session", { cookie });
    expect(asked).not.toHaveBeenCalled();
  });

  it("is found beside a cookie of the same name that a neighbor host has set", async () => {
    const { ask, logIn } = dashboard();
    const cookie = `__Host-ms=evil; ${await logIn()}; other=1`;
    expect((await ask("GET", "/api/session", { cookie })).status).toBe(200);
  });

  it("ends after 12 hours, and after two hours without a request", async () => {
    const { ask, logIn } = dashboard();
    const status = async (cookie: string) => (await ask("GET", "/api/session", { cookie })).status;
    const used = await logIn();
    for (let hour = 0; hour < 11; hour += 1) {
      advance(HOUR);
      expect(await status(used)).toBe(200);
    }
    const idle = await logIn();
    advance(HOUR);
    expect(await status(used)).toBe(401);
    advance(HOUR);
    expect(await status(idle)).toBe(401);
    await runDurableObjectAlarm(logins());
    expect(await rowsOf("sessions")).toEqual([]);
  });

  it("writes that it was seen every ten minutes at most", async () => {
    const { ask, logIn } = dashboard();
    const cookie = await logIn();
    const seen = async () => {
      await ask("GET", "/api/session", { cookie });
      return (await rowsOf("sessions"))[0]?.seen;
    };
    advance(9 * MINUTE);
    expect(await seen()).toBe(START);
    advance(MINUTE);
    expect(await seen()).toBe(START + 10 * MINUTE);
  });

  it("ends at once by a logout, and takes its cookie away", async () => {
    const { ask, logIn } = dashboard();
    const [cookie, other] = [await logIn(), await logIn()];
    const answer = await ask("DELETE", "/api/session", { cookie });
    expect(answer.headers.get("Set-Cookie")).toMatch(/^__Host-ms=; .*Max-Age=0$/);
    expect((await ask("GET", "/api/session", { cookie })).status).toBe(401);
    expect((await ask("GET", "/api/session", { cookie: other })).status).toBe(200);
  });

  it("is in the list of sessions, which can all be ended", async () => {
    const { ask, logIn } = dashboard();
    const [first, second] = [await logIn(), await logIn()];
    const { data } = (await bodyOf(ask("GET", "/api/sessions", { cookie: second }))) as {
      data: { current: boolean }[];
    };
    expect(data.map(({ current }) => current)).toEqual([true, false]);
    expect(JSON.stringify(data)).not.toContain(second.slice(10, 40));
    await ask("DELETE", "/api/sessions", { cookie: second });
    for (const cookie of [first, second]) expect((await ask("GET", "/api/session", { cookie })).status).toBe(401);
  });

  it("ends when the admin token changes", async () => {
    const cookie = await dashboard().logIn();
    const changed = dashboard({ ADMIN_TOKEN: `${TOKEN}-rotated` });
    expect((await changed.ask("GET", "/api/session", { cookie })).status).toBe(401);
  });

  it("is kept as a hash: a copy of the Logins opens nothing", async () => {
    const cookie = await dashboard().logIn();
    const kept = JSON.stringify([await rowsOf("sessions"), await rowsOf("attempts")]);
    const [id = ""] = cookie.replace("__Host-ms=", "").split(".");
    expect(kept).not.toContain(id);
    expect(kept).not.toContain(TOKEN);
  });

  it("counts wrong proofs as wrong logins, and not the right one", async () => {
    const { ask, logIn } = dashboard();
    const cookie = await logIn();
    const prove = async (token: string) =>
      (await ask("POST", "/api/session/prove", { cookie, body: { token } })).status;
    for (let n = 0; n < 9; n += 1) expect(await prove("wrong")).toBe(401);
    expect(await prove(TOKEN)).toBe(200);
    expect(await rowsOf("attempts")).toHaveLength(9);
    expect(await prove("wrong")).toBe(401);
    expect(await prove("wrong")).toBe(429);
    expect((await ask("POST", "/api/session", { body: { token: "wrong" } })).status).toBe(429);
    expect(await prove(TOKEN)).toBe(200);
  });

  it("has a new proof after the token is given again", async () => {
    const { ask, logIn } = dashboard();
    const [cookie] = [await logIn(), await logIn()];
    const proofs = async () => (await rowsOf("sessions")).map(({ proved }) => proved);
    const prove = async (token: string) =>
      (await ask("POST", "/api/session/prove", { cookie, body: { token } })).status;
    advance(HOUR);
    expect(await prove("wrong")).toBe(401);
    expect(await proofs()).toEqual([START, START]);
    expect(await prove(TOKEN)).toBe(200);
    expect(await proofs()).toEqual([START + HOUR, START]);
  });
});
