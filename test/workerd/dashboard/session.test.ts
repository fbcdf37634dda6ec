import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { Logins } from "../../../src/dashboard/worker/logins.ts";
import { keyFor, tag } from "../../../src/lib/seal.ts";
import { advance, cookieOf, dashboard, isolated, ORIGIN, START, TOKEN } from "./bench.ts";

isolated();

const HOUR = 3_600_000;
const bindings = env as unknown as { LOGINS: DurableObjectNamespace<Logins> };
const rowsOf = (table: string) =>
  runInDurableObject(bindings.LOGINS.getByName("main"), (_, { storage }) =>
    storage.sql.exec(`SELECT * FROM ${table}`).toArray(),
  );
const utf8 = new TextEncoder();
const sha256 = async (text: string) => new Uint8Array(await crypto.subtle.digest("SHA-256", utf8.encode(text))).toHex();

const tagOf = async (id: string, token = TOKEN) => tag(await keyFor(token, "dashboard session"), id);

describe("the cookie of a session", () => {
  const partsOf = (cookie: string) => cookie.replace("__Host-ms=", "").split(".") as [id: string, tag: string];

  it("has 32 random bytes and their tag; the Logins has their hash, the person, the role and the times", async () => {
    const { logIn } = dashboard();
    const cookies = [await logIn(), await logIn()];
    const ids = cookies.map((cookie) => partsOf(cookie)[0]);
    expect(new Set(ids).size).toBe(2);
    for (const [id, own] of cookies.map(partsOf)) expect(own).toBe(await tagOf(id));
    expect(await rowsOf("sessions")).toEqual(
      await Promise.all(
        ids.map(async (id, index) => ({
          n: index + 1,
          hash: await sha256(id),
          who: "owner",
          role: "owner",
          person: null,
          via: "token",
          created: START,
          seen: START,
          proved: START,
          expires: START + 12 * HOUR,
        })),
      ),
    );
  });

  it("opens nothing with another tag, and the Logins is not asked", async () => {
    const { ask, logIn } = dashboard();
    const [[id, tag], [otherId, otherTag]] = [partsOf(await logIn()), partsOf(await logIn())];
    const last = tag.endsWith("0") ? "1" : "0";
    const forged = [
      id,
      `${id}.`,
      `${id}.${otherTag}`,
      `${otherId}.${tag}`,
      `${id}.${tag.slice(0, -1)}`,
      `${id}.${tag.slice(0, -1)}${last}`,
      `${id}.${await tagOf(id, "another-admin-token-of-24-characters")}`,
      `${id.toUpperCase()}.${tag}`,
      `.${tag}`,
      `${await sha256(id)}.${tag}`,
      `${id}.${tag}.`,
      `${id}.${tag}.${tag}`,
    ];
    const asked = vi.spyOn(bindings.LOGINS, "getByName");
    for (const value of forged) {
      const answer = await ask("GET", "/api/session", { cookie: `__Host-ms=${value}` });
      expect([value, answer.status]).toEqual([value, 401]);
    }
    expect(asked).not.toHaveBeenCalled();
    expect((await ask("GET", "/api/session", { cookie: `__Host-ms=${id}.${tag}` })).status).toBe(200);
  });

  it("is known by its name alone: over https with the prefix, on this machine without", async () => {
    const { ask, logIn } = dashboard();
    const value = (await logIn()).replace("__Host-ms=", "");
    const local = { origin: "http://127.0.0.1:8786" };
    for (const cookie of [`ms=${value}`, `__Secure-ms=${value}`, `__host-ms=${value}`, `x__Host-ms=${value}`])
      expect([cookie, (await ask("GET", "/api/session", { cookie })).status]).toEqual([cookie, 401]);
    expect((await ask("GET", "/api/session", { cookie: `__Host-ms=${value}`, ...local })).status).toBe(401);
    expect((await ask("GET", "/api/session", { cookie: `ms=${value}`, ...local })).status).toBe(200);
    const far = { origin: "http://dashboard.example.com" };
    for (const name of ["ms", "__Host-ms"])
      expect((await ask("GET", "/api/session", { cookie: `${name}=${value}`, ...far })).status).toBe(401);
  });

  it("is no bearer token, and not taken from the address", async () => {
    const { ask, logIn } = dashboard();
    const value = (await logIn()).replace("__Host-ms=", "");
    for (const headers of [{ Authorization: `Bearer ${value}` }, { Authorization: `Bearer ${TOKEN}` }])
      expect((await ask("GET", "/api/bridge/status", { headers })).status).toBe(401);
    for (const query of [`?__Host-ms=${value}`, `?token=${TOKEN}`])
      expect((await ask("GET", `/api/bridge/status${query}`)).status).toBe(401);
  });
});

describe("a logout", () => {
  it("deletes the row of that session alone, and of all sessions where it is everywhere", async () => {
    const { ask, logIn } = dashboard();
    const [first, second, third] = [await logIn(), await logIn(), await logIn()];
    await ask("DELETE", "/api/session", { cookie: first });
    expect((await rowsOf("sessions")).map(({ n }) => n)).toEqual([2, 3]);
    const everywhere = await ask("DELETE", "/api/sessions", { cookie: second });
    expect(everywhere.headers.get("Set-Cookie")).toMatch(/^__Host-ms=; Path=\/; .*Max-Age=0$/);
    expect(await rowsOf("sessions")).toEqual([]);
    expect((await ask("GET", "/api/session", { cookie: third })).status).toBe(401);
  });
});

describe("the alarm of the Logins", () => {
  const counts = async () =>
    Promise.all(
      ["sessions", "attempts", "used_codes", "refused_logins", "audit"].map(
        async (table) => (await rowsOf(table)).length,
      ),
    );

  it("deletes each row at the end of its time, also where nobody asks for it again", async () => {
    const { ask, logIn } = dashboard({ LOGIN_CODE: `${START.toString(36)}.aRandomPart` });
    await logIn({ code: `${START.toString(36)}.aRandomPart` });
    await ask("POST", "/api/bridge/deliveries/wh_1.0/retry", { cookie: await logIn(), body: {} });
    await ask("POST", "/api/session", { body: { token: "wrong" } });
    const alarm = () => runDurableObjectAlarm(bindings.LOGINS.getByName("main"));
    const left: unknown[] = [await counts()];
    for (const hours of [1, 1, 22, 89 * 24]) {
      advance(hours * HOUR);
      expect(await alarm()).toBe(true);
      left.push(await counts());
    }
    // After 1 h, 2 h (idle sessions), 1 d (codes, refused logins) and 90 d (audit).
    expect(left).toEqual([
      [2, 1, 1, 1, 4],
      [2, 0, 1, 1, 4],
      [0, 0, 1, 1, 4],
      [0, 0, 0, 0, 4],
      [0, 0, 0, 0, 0],
    ]);
    expect(await alarm()).toBe(false);
  });
});

describe("a login", () => {
  it("compares digests, whose time tells nothing of the token", async () => {
    const { ask } = dashboard();
    const digested = vi.spyOn(crypto.subtle, "digest");
    await ask("POST", "/api/session", { body: { token: "wrong" } });
    const texts = digested.mock.calls.map(([, data]) => new TextDecoder().decode(data as Uint8Array));
    expect(texts).toEqual(expect.arrayContaining(["wrong", TOKEN]));
  });

  it("needs an admin token of 24 characters", async () => {
    const status = async (token: string) =>
      (await dashboard({ ADMIN_TOKEN: token }).ask("POST", "/api/session", { body: { token } })).status;
    expect([await status("x".repeat(23)), await status("x".repeat(24))]).toEqual([503, 201]);
    const cookie = await dashboard().logIn();
    expect((await dashboard({ ADMIN_TOKEN: "short" }).ask("GET", "/api/session", { cookie })).status).toBe(503);
  });

  it("with the code of npm start is possible once, also at the same time, and the Logins has only the hash of the code", async () => {
    const code = `${START.toString(36)}.aRandomPart`;
    const { ask } = dashboard({ LOGIN_CODE: code });
    const logIn = async () => (await ask("POST", "/api/session", { body: { code } })).status;
    expect((await Promise.all(Array.from({ length: 5 }, logIn))).toSorted()).toEqual([201, 401, 401, 401, 401]);
    expect(await rowsOf("sessions")).toHaveLength(1);
    expect(JSON.stringify(await rowsOf("used_codes"))).not.toContain("aRandomPart");
  });

  it("with a wrong code counts as an attempt, and so does one with a used code", async () => {
    const { ask } = dashboard({ LOGIN_CODE: `${START.toString(36)}.aRandomPart` });
    const status = async (body: object) => (await ask("POST", "/api/session", { body })).status;
    for (let n = 0; n < 10; n += 1) expect(await status({ code: `${START.toString(36)}.guess${n}` })).toBe(401);
    const right = { code: `${START.toString(36)}.aRandomPart` };
    expect(await status({ code: `${START.toString(36)}.guess` })).toBe(429);
    expect([await status(right), await status(right), await status({ token: TOKEN })]).toEqual([201, 429, 201]);
  });

  it("gives each answer to this person alone: no shared cache, and the cookie is in this answer only", async () => {
    const { ask } = dashboard();
    const answer = await ask("POST", "/api/session", { body: { token: TOKEN } });
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    const cookie = cookieOf(answer);
    for (const path of ["/api/session", "/api/sessions", "/api/about", "/api/bridge/status", "/", "/preview"])
      expect((await ask("GET", path, { cookie, origin: ORIGIN })).headers.get("Set-Cookie")).toBeNull();
  });
});
