import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { Logins } from "../../../src/dashboard/worker/logins.ts";
import { newAuthenticator, type Wrong } from "./authenticator.ts";
import { advance, cookieOf, isolated, ORIGIN, START, TOKEN } from "./bench.ts";
import { withPeople } from "./people-bench.ts";

isolated();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const logins = () => (env as unknown as { LOGINS: DurableObjectNamespace<Logins> }).LOGINS.getByName("main");
const rowsOf = (table: string) =>
  runInDurableObject(logins(), (_, { storage }) => storage.sql.exec(`SELECT * FROM ${table}`).toArray());
const sha256 = async (text: string) =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toHex();

const WRONG: Readonly<Record<string, Wrong>> = {
  "another origin": { origin: "https://evil.example.com" },
  "this origin over http": { origin: ORIGIN.replace("https", "http") },
  "this origin at another port": { origin: `${ORIGIN}:8443` },
  "a host below this one": { origin: ORIGIN.replace("//", "//evil.") },
  "another rpID": { rpID: "evil.example.com" },
  "the rpID of the host above": { rpID: "example.com" },
  "a challenge that was made up": { challenge: "AAAAAAAAAAAAAAAAAAAAAA" },
  "no challenge": { challenge: "" },
  "the type of the other ceremony": { type: "webauthn.other" },
  "a frame of another site": { crossOrigin: true },
  "nobody who was verified": { unverified: true },
  "nobody who was present": { absent: true },
};

describe("an invitation", () => {
  it("is a secret that is shown once, of which the Logins has the hash, and says for whom it is", async () => {
    const { send, owner, open } = await withPeople();
    const [status, made] = await send(owner, "POST", "/people", { name: " Ada@Example.com ", role: "support" });
    expect([status, made]).toEqual([
      201,
      {
        id: expect.stringMatching(/^per_[0-9a-f]{24}$/),
        name: "ada@example.com",
        role: "support",
        invite: expect.stringMatching(/^[0-9a-f]{64}$/),
        expiresAt: new Date(START + 24 * HOUR).toISOString(),
      },
    ]);
    const secret = String(made.invite);
    expect(await rowsOf("invites")).toEqual([
      { hash: await sha256(secret), person: made.id, by: "owner", expires: START + 24 * HOUR },
    ]);
    for (const table of ["people", "audit", "sessions"])
      expect(JSON.stringify(await rowsOf(table))).not.toContain(secret);
    expect(await open(secret)).toEqual([
      200,
      {
        name: "ada@example.com",
        role: "support",
        invitedBy: "owner",
        expiresAt: made.expiresAt,
        options: expect.objectContaining({
          rp: { id: "dashboard.example.com", name: "Mailspan" },
          attestation: "none",
          authenticatorSelection: expect.objectContaining({ residentKey: "required", userVerification: "required" }),
        }),
      },
    ]);
  });

  it("logs the person in with a passkey, once, and then the link is over", async () => {
    const { invite, enrol, open, ask, json } = await withPeople();
    const { id, invite: secret } = await invite("ada", "support");
    const authenticator = await newAuthenticator();
    const answer = await enrol(secret, authenticator);
    expect([answer.status, await answer.json()]).toEqual([
      201,
      { who: "ada", role: "support", expires: new Date(START + 12 * HOUR).toISOString() },
    ]);
    const cookie = cookieOf(answer);
    expect(await json(ask("GET", "/api/about", { cookie }))).toMatchObject([
      200,
      { me: { who: "ada", role: "support", person: id, passkeys: 1 } },
    ]);
    expect(await open(secret)).toEqual([401, expect.objectContaining({ code: "invite_used", path: "invite" })]);
    expect(await rowsOf("passkeys")).toEqual([
      expect.objectContaining({
        id: authenticator.id,
        person: id,
        counter: 0,
        transports: '["internal","hybrid"]',
        synced: 0,
        name: "Passkey 1",
        created: START,
        used: null,
      }),
    ]);
  });

  it("is taken by one of two browsers at the same time", async () => {
    const { invite, open, accept } = await withPeople();
    const { invite: secret } = await invite("ada", "viewer");
    const made = await Promise.all(
      [1, 2].map(async () => {
        const [, body] = await open(secret);
        return (await newAuthenticator()).create(body.options as { challenge: string });
      }),
    );
    const answers = await Promise.all(made.map((passkey) => accept(secret, passkey)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 401]);
    expect(await rowsOf("passkeys")).toHaveLength(1);
  });

  it("is over after 24 hours, also between its opening and the passkey, and its row goes", async () => {
    const { invite, open, accept } = await withPeople();
    const { invite: secret } = await invite("ada", "viewer");
    advance(24 * HOUR - 1);
    const [, body] = await open(secret);
    const passkey = await (await newAuthenticator()).create(body.options as { challenge: string });
    advance(1);
    const late = await accept(secret, passkey);
    expect([late.status, await late.json()]).toMatchObject([401, { code: "invite_used" }]);
    expect((await open(secret))[0]).toBe(401);
    expect(await rowsOf("invites")).toHaveLength(1);
    await runDurableObjectAlarm(logins());
    expect(await rowsOf("invites")).toEqual([]);
    expect(await rowsOf("passkeys")).toEqual([]);
  });

  it("is replaced by a new link of the same person, and ends with the person", async () => {
    const { invite, open, send, owner } = await withPeople();
    const { id, invite: first } = await invite("ada", "viewer");
    const [, again] = await send(owner, "POST", `/people/${id}/invite`);
    expect((await open(first))[0]).toBe(401);
    expect((await open(String(again.invite)))[0]).toBe(200);
    await send(owner, "DELETE", `/people/${id}`);
    expect((await open(String(again.invite)))[0]).toBe(401);
  });

  it("counts as an attempt to log in: an address that guesses has to wait", async () => {
    const { open } = await withPeople();
    for (let n = 0; n < 10; n += 1) expect((await open(`guess${n}`))[0]).toBe(401);
    expect(await open("guess")).toMatchObject([429, { code: "too_many_logins" }]);
  });

  it("that its person has used does not count, and is no refused login: an office behind one address still gets in", async () => {
    const { invite, enrol, open, accept, ask, send, owner } = await withPeople();
    for (let n = 0; n < 12; n += 1) {
      const { invite: secret } = await invite(`person ${n}`, "viewer");
      const [, opened] = await open(secret);
      const passkey = await (await newAuthenticator()).create(opened.options as { challenge: string });
      expect((await enrol(secret, await newAuthenticator())).status).toBe(201);
      expect((await accept(secret, passkey)).status).toBe(401);
      expect(await open(secret)).toMatchObject([401, { code: "invite_used" }]);
    }
    expect(await rowsOf("attempts")).toEqual([]);
    expect((await ask("POST", "/api/session", { body: { token: TOKEN } })).status).toBe(201);
    const [, { data }] = await send(owner, "GET", "/audit?who=unknown");
    expect(data).toEqual([]);
    for (let n = 0; n < 10; n += 1) expect((await open("0".repeat(63) + n))[0]).toBe(401);
    expect((await open("0".repeat(64)))[0]).toBe(429);
  });

  it("that is good does not count, and keeps the wrong ones", async () => {
    const { invite, open } = await withPeople();
    const { invite: secret } = await invite("ada", "viewer");
    for (let n = 0; n < 9; n += 1) expect((await open(`guess${n}`))[0]).toBe(401);
    for (let n = 0; n < 12; n += 1) expect((await open(secret))[0]).toBe(200);
    expect([(await open("guess"))[0], (await open("guess"))[0]]).toEqual([401, 429]);
    expect((await open(secret))[0]).toBe(200);
  });

  it.each([
    ["no name", { role: "viewer" }, "name"],
    ["a name of spaces", { name: "  ", role: "viewer" }, "name"],
    ["the name of the token's login", { name: "Owner", role: "viewer" }, "name"],
    ["the name of the local link", { name: "local", role: "viewer" }, "name"],
    ["the name of the token's login in wide letters", { name: "ｏｗｎｅｒ", role: "viewer" }, "name"],
    ["the name of the token's login with a letter of another alphabet", { name: "\u043ewner", role: "viewer" }, "name"],
    ["a name with a character that is not seen", { name: "owner\ufe0f", role: "viewer" }, "name"],
    ["a name of nothing that is seen", { name: "\u3164", role: "viewer" }, "name"],
    ["a name of two lines", { name: "a\nb", role: "viewer" }, "name"],
    ["a name that is written backwards", { name: "a\u202eb", role: "viewer" }, "name"],
    ["a name of 201 characters", { name: "a".repeat(201), role: "viewer" }, "name"],
    ["a role that there is not", { name: "ada", role: "admin" }, "role"],
    ["no role", { name: "ada" }, "role"],
  ])("is refused with %s", async (_, body, path) => {
    const { send, owner } = await withPeople();
    expect(await send(owner, "POST", "/people", body)).toEqual([
      400,
      expect.objectContaining({ code: "invalid_request", path }),
    ]);
    expect(await rowsOf("people")).toEqual([]);
  });

  it("is refused with a name that is taken, in any case of its letters", async () => {
    const { invite, send, owner } = await withPeople();
    await invite("Ada", "viewer");
    expect(await send(owner, "POST", "/people", { name: "ADA", role: "owner" })).toEqual([
      409,
      expect.objectContaining({ code: "person_exists", path: "name" }),
    ]);
    expect(await rowsOf("people")).toMatchObject([{ role: "viewer" }]);
  });

  it.each(Object.keys(WRONG))("makes no passkey with %s", async (name) => {
    const { invite, enrol } = await withPeople();
    const { invite: secret } = await invite("ada", "viewer");
    const answer = await enrol(secret, await newAuthenticator(), WRONG[name]);
    expect([answer.status, await answer.json()]).toMatchObject([401, { code: "wrong_passkey", path: "passkey" }]);
    expect(answer.headers.get("Set-Cookie")).toBeNull();
    expect([await rowsOf("passkeys"), await rowsOf("invites")]).toMatchObject([[], [{}]]);
  });

  it("makes no passkey with a challenge of a login, of another link, of before, or of five minutes ago", async () => {
    const { invite, open, accept, options } = await withPeople();
    const [ada, grace] = [await invite("ada", "viewer"), await invite("grace", "owner")];
    const [, opened] = await open(ada.invite);
    const asked = opened.options as { challenge: string };
    const foreign = [(await options()).challenge, ((await open(grace.invite))[1].options as typeof asked).challenge];
    for (const challenge of foreign) {
      const passkey = await (await newAuthenticator()).create({ ...asked, challenge });
      expect((await accept(ada.invite, passkey)).status).toBe(401);
    }
    const late = await (await newAuthenticator()).create(asked);
    advance(5 * MINUTE);
    expect((await accept(ada.invite, late)).status).toBe(401);
    expect(await rowsOf("passkeys")).toEqual([]);
  });

  it.each(["http://127.0.0.1:8786", "http://[::1]:8786"])(
    "says at %s where the dashboard has a name, and works there",
    async (origin) => {
      const { invite, ask, json } = await withPeople();
      const { invite: secret } = await invite("ada", "viewer");
      const body = { invite: secret };
      expect(await json(ask("POST", "/api/invite", { body, origin }))).toEqual([
        400,
        expect.objectContaining({
          code: "passkeys_unavailable",
          message: expect.stringContaining("Open the dashboard at http://localhost:8786."),
        }),
      ]);
      const there = "http://localhost:8786";
      const [, opened] = await json(ask("POST", "/api/invite", { body, origin: there }));
      const passkey = await (await newAuthenticator()).create(opened.options as never, { origin: there });
      const answer = await ask("POST", "/api/invite/accept", { body: { ...body, passkey }, origin: there });
      expect([answer.status, cookieOf(answer)]).toEqual([201, expect.stringMatching(/^ms=/)]);
    },
  );

  it("is refused over http elsewhere", async () => {
    const { ask, json } = await withPeople();
    const far = { body: { invite: "x" }, origin: "http://dashboard.example.com" };
    expect(await json(ask("POST", "/api/invite", far))).toMatchObject([400, { code: "https_required" }]);
  });
});

describe("a login with a passkey", () => {
  it("needs no name, proves the person for 15 minutes, and writes when it was used", async () => {
    const { person, options, logInWith, ask } = await withPeople();
    const { id, authenticator } = await person("ada", "owner");
    expect(await options()).not.toHaveProperty("allowCredentials");
    advance(HOUR);
    const answer = await logInWith(authenticator);
    expect([answer.status, await answer.json()]).toMatchObject([201, { who: "ada", role: "owner" }]);
    const cookie = cookieOf(answer);
    expect((await rowsOf("sessions")).at(-1)).toMatchObject({ person: id, via: "passkey", proved: START + HOUR });
    expect(await rowsOf("passkeys")).toMatchObject([{ counter: 1, used: START + HOUR }]);
    expect(await rowsOf("people")).toMatchObject([{ seen: START + HOUR }]);
    expect((await ask("POST", "/api/bridge/erase", { cookie, body: { email: "a@b.example" } })).status).toBe(200);
  });

  it.each(Object.keys(WRONG))("is refused with %s", async (name) => {
    const { person, logInWith } = await withPeople();
    const { authenticator } = await person("ada", "viewer");
    const before = await rowsOf("sessions");
    const answer = await logInWith(authenticator, WRONG[name]);
    expect([answer.status, await answer.json()]).toMatchObject([401, { code: "wrong_passkey", path: "passkey" }]);
    expect(answer.headers.get("Set-Cookie")).toBeNull();
    expect(await rowsOf("sessions")).toEqual(before);
    expect((await logInWith(authenticator)).status).toBe(201);
  });

  it("is refused with the signature of another key, another person's handle, and what was changed on the way", async () => {
    const { person, options, ask } = await withPeople();
    const [ada, grace] = [await person("ada", "viewer"), await person("grace", "owner")];
    const send = async (passkey: object) => (await ask("POST", "/api/session", { body: { passkey } })).status;
    const own = await ada.authenticator.get(await options());
    const other = await grace.authenticator.get(await options());
    expect(await send({ ...own, id: other.id, rawId: other.rawId })).toBe(401);
    expect(await send({ ...own, response: { ...own.response, signature: other.response.signature } })).toBe(401);
    const handle = other.response.userHandle ?? "";
    expect(await send(await ada.authenticator.get(await options(), { userHandle: handle }))).toBe(401);
    expect(await send({ ...own, response: { ...own.response, clientDataJSON: "e30" } })).toBe(401);
    expect(await send({ ...own, response: { ...own.response, authenticatorData: "AAAA" } })).toBe(401);
    expect(await send({ ...own, rawId: "AAAA" })).toBe(401);
    expect(await send(own)).toBe(201);
  });

  it("is possible once with each challenge, also at the same time, and only with one of a login", async () => {
    const { person, options, ask, accept, invite, open } = await withPeople();
    const { authenticator, cookie } = await person("ada", "viewer");
    const passkey = await authenticator.get(await options());
    const send = async (given: object) => (await ask("POST", "/api/session", { body: { passkey: given } })).status;
    const all = await Promise.all(Array.from({ length: 5 }, () => send(passkey)));
    expect(all.toSorted()).toEqual([201, 401, 401, 401, 401]);
    expect(await send(passkey)).toBe(401);
    const proof = await options({ for: "proof" }, cookie);
    expect(await send(await authenticator.get(proof))).toBe(401);
    const other = await invite("grace", "owner");
    const [, opened] = await open(other.invite);
    const rpId = "dashboard.example.com";
    expect(await send(await authenticator.get({ ...(opened.options as { challenge: string }), rpId }))).toBe(401);
    expect((await accept(other.invite, await authenticator.create(proof))).status).toBe(401);
  });

  it("is refused five minutes after its challenge, and with one of another admin token", async () => {
    const { person, options, ask, logInWith } = await withPeople();
    const { authenticator } = await person("ada", "viewer");
    const passkey = await authenticator.get(await options());
    advance(5 * MINUTE);
    expect((await ask("POST", "/api/session", { body: { passkey } })).status).toBe(401);
    const rotated = await withPeople({ ADMIN_TOKEN: `${TOKEN}-rotated` });
    const old = await authenticator.get(await options());
    expect((await rotated.ask("POST", "/api/session", { body: { passkey: old } })).status).toBe(401);
    expect((await rotated.logInWith(authenticator)).status).toBe(201);
    expect((await logInWith(authenticator)).status).toBe(201);
  });

  it("is refused where the counter went back: there is a copy. The audit has it", async () => {
    const { person, logInWith, send, owner } = await withPeople();
    const { authenticator } = await person("ada", "viewer");
    authenticator.setCounter(7);
    expect((await logInWith(authenticator)).status).toBe(201);
    for (const counter of [3, 7, -1]) {
      authenticator.setCounter(counter);
      const answer = await logInWith(authenticator);
      const copied = { code: "wrong_passkey", message: expect.stringContaining("its counter went back") };
      expect([counter, answer.status, await answer.json()]).toMatchObject([counter, 401, copied]);
    }
    authenticator.setCounter(8);
    expect((await logInWith(authenticator)).status).toBe(201);
    const [, { data }] = await send(owner, "GET", "/audit?who=ada&operation=dashboard.session");
    const login = { who: "ada", status: 201, ids: { via: "passkey" } };
    const copied = Array.from({ length: 3 }, () => ({ who: "ada", status: 401, ids: { passkey: "Passkey 1" } }));
    expect(data).toMatchObject([login, ...copied, login, login]);
  });

  it("works with a passkey that does not count", async () => {
    const { invite, enrol, logInWith } = await withPeople();
    const authenticator = await newAuthenticator(false);
    await enrol((await invite("ada", "viewer")).invite, authenticator);
    for (let n = 0; n < 3; n += 1) expect((await logInWith(authenticator)).status).toBe(201);
  });

  it("asks for a challenge without a row in the Logins, and a forged one never reaches it", async () => {
    const { person, options, ask } = await withPeople();
    const { authenticator } = await person("ada", "viewer");
    const before = await rowsOf("used_codes");
    const asked = vi.spyOn((env as unknown as { LOGINS: DurableObjectNamespace }).LOGINS, "getByName");
    for (let n = 0; n < 20; n += 1) await options();
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
    const passkey = await authenticator.get(await options(), { challenge: "AAAAAAAAAAAAAAAAAAAAAA" });
    await ask("POST", "/api/session", { body: { passkey } });
    expect(await rowsOf("used_codes")).toEqual(before);
  });

  it("counts as other attempts do", async () => {
    const { person, logInWith, ask } = await withPeople();
    const { authenticator } = await person("ada", "viewer");
    const unknown = await newAuthenticator();
    for (let n = 0; n < 10; n += 1) {
      const answer = await logInWith(unknown);
      expect([answer.status, await answer.json()]).toMatchObject([401, { code: "wrong_passkey" }]);
    }
    expect((await logInWith(unknown)).status).toBe(429);
    expect((await ask("POST", "/api/session", { body: { token: "wrong" } })).status).toBe(429);
    expect((await logInWith(authenticator)).status).toBe(201);
  });

  it("is refused without the admin token of this deployment, which has to be usable", async () => {
    const { ask } = await withPeople();
    expect((await ask("POST", "/api/session/options", { body: { for: "proof" } })).status).toBe(401);
    const none = await withPeople().then(() => import("./bench.ts"));
    const answer = await none.dashboard({ ADMIN_TOKEN: "short" }).ask("POST", "/api/session/options", { body: {} });
    expect(answer.status).toBe(503);
  });
});

describe("a proof with a passkey", () => {
  const erase = { email: "ada@example.com" };

  it("is one of the person's own passkeys, for that session, and lasts 15 minutes", async () => {
    const { person, options, send } = await withPeople();
    const [ada, grace] = [await person("ada", "owner"), await person("grace", "owner")];
    advance(15 * MINUTE);
    expect(await send(ada.cookie, "POST", "/bridge/erase", erase)).toMatchObject([403, { code: "proof_required" }]);
    const prove = async (passkey: object) => (await send(ada.cookie, "POST", "/session/prove", { passkey }))[0];
    const asked = await options({ for: "proof" }, ada.cookie);
    expect(asked).toMatchObject({
      allowCredentials: [{ id: ada.authenticator.id, transports: ["internal", "hybrid"] }],
    });
    expect(await prove(await grace.authenticator.get(asked))).toBe(401);
    expect(await prove(await ada.authenticator.get(await options()))).toBe(401);
    const foreign = await options({ for: "proof" }, grace.cookie);
    expect(await prove(await ada.authenticator.get(foreign))).toBe(401);
    const passkey = await ada.authenticator.get(asked);
    expect(await prove(passkey)).toBe(200);
    expect((await send(ada.cookie, "POST", "/bridge/erase", erase))[0]).toBe(200);
    expect((await send(grace.cookie, "POST", "/bridge/erase", erase))[0]).toBe(403);
    advance(15 * MINUTE);
    expect((await send(ada.cookie, "POST", "/bridge/erase", erase))[0]).toBe(403);
    expect(await prove(passkey)).toBe(401);
  });

  it("can be the admin token instead, which changes no role", async () => {
    const { person, send } = await withPeople();
    const { cookie } = await person("ada", "support");
    advance(15 * MINUTE);
    expect(await send(cookie, "POST", "/session/prove", { token: TOKEN })).toMatchObject([
      200,
      { who: "ada", role: "support" },
    ]);
  });

  it("is not possible for a login without passkeys, which is told so", async () => {
    const { ask, owner, json } = await withPeople();
    expect(await json(ask("POST", "/api/session/options", { cookie: owner, body: { for: "proof" } }))).toMatchObject([
      409,
      { code: "no_person", message: expect.stringContaining("admin token") },
    ]);
  });
});

describe("the passkeys of a person", () => {
  it("are more than one: the browser is told which there are, and each logs in", async () => {
    const { person, send, logInWith } = await withPeople();
    const { id, cookie, authenticator } = await person("ada", "viewer");
    const [, { options }] = await send(cookie, "POST", "/passkeys/options");
    expect(options).toMatchObject({ excludeCredentials: [{ id: authenticator.id }] });
    const second = await newAuthenticator();
    advance(1);
    const added = { passkey: await second.create(options as { challenge: string }), name: "Key in the safe" };
    expect(await send(cookie, "POST", "/passkeys", added)).toMatchObject([
      201,
      { id: second.id, name: "Key in the safe", lastUsedAt: null, synced: false },
    ]);
    expect((await send(cookie, "POST", "/passkeys", added))[0]).toBe(401);
    for (const one of [authenticator, second]) expect((await logInWith(one)).status).toBe(201);
    const [, { data }] = await send(cookie, "GET", "/people");
    expect(data).toMatchObject([{ id, isMe: true, passkeys: [{ name: "Passkey 1" }, { name: "Key in the safe" }] }]);
  });

  it("are added with a challenge of that session, by a login of that person alone", async () => {
    const { person, send, owner } = await withPeople();
    const [ada, grace] = [await person("ada", "viewer"), await person("grace", "viewer")];
    const [, { options }] = await send(ada.cookie, "POST", "/passkeys/options");
    const passkey = await (await newAuthenticator()).create(options as { challenge: string });
    expect((await send(grace.cookie, "POST", "/passkeys", { passkey }))[0]).toBe(401);
    expect(await send(owner, "POST", "/passkeys", { passkey })).toMatchObject([409, { code: "no_person" }]);
    expect(await send(owner, "POST", "/passkeys/options")).toMatchObject([409, { code: "no_person" }]);
    expect((await send(ada.cookie, "POST", "/passkeys", { passkey }))[0]).toBe(201);
  });

  it.each(Object.keys(WRONG))("are not added with %s", async (name) => {
    const { person, send } = await withPeople();
    const { cookie } = await person("ada", "viewer");
    const [, { options }] = await send(cookie, "POST", "/passkeys/options");
    const passkey = await (await newAuthenticator()).create(options as { challenge: string }, WRONG[name]);
    expect((await send(cookie, "POST", "/passkeys", { passkey }))[0]).toBe(401);
    expect(await rowsOf("passkeys")).toHaveLength(1);
  });

  it("are revoked by the person or an owner, log nobody in then, and end the other sessions of the person", async () => {
    const { person, send, logInWith, owner } = await withPeople();
    const [ada, grace] = [await person("ada", "editor"), await person("grace", "viewer")];
    const elsewhere = cookieOf(await logInWith(ada.authenticator));
    const remove = (cookie: string, id: string) => send(cookie, "DELETE", `/passkeys/${id}`);
    expect(await remove(grace.cookie, ada.authenticator.id)).toMatchObject([404, { code: "not_found" }]);
    expect((await remove(ada.cookie, ada.authenticator.id))[0]).toBe(200);
    expect((await remove(ada.cookie, ada.authenticator.id))[0]).toBe(404);
    expect((await logInWith(ada.authenticator)).status).toBe(401);
    expect((await send(elsewhere, "GET", "/session"))[0]).toBe(401);
    expect((await send(ada.cookie, "GET", "/session"))[0]).toBe(200);
    expect((await remove(owner, grace.authenticator.id))[0]).toBe(200);
    expect((await send(grace.cookie, "GET", "/session"))[0]).toBe(401);
  });

  it("take recovery codes, link and sessions with them where an owner revokes that of another person", async () => {
    const { person, send, ask, open, owner } = await withPeople();
    const [ada, grace] = [await person("ada", "editor"), await person("grace", "editor")];
    const codesOf = async (cookie: string) => (await send(cookie, "POST", "/recovery-codes"))[1].codes as string[];
    const [adas, graces] = [await codesOf(ada.cookie), await codesOf(grace.cookie)];
    const [, { invite }] = await send(owner, "POST", `/people/${ada.id}/invite`);
    const use = async (recovery = "") => (await ask("POST", "/api/session", { body: { recovery } })).status;
    expect((await send(grace.cookie, "DELETE", `/passkeys/${grace.authenticator.id}`))[0]).toBe(200);
    expect(await use(graces[0])).toBe(201);
    expect((await send(owner, "DELETE", `/passkeys/${ada.authenticator.id}`))[0]).toBe(200);
    expect(await use(adas[0])).toBe(401);
    expect((await open(String(invite)))[0]).toBe(401);
    expect((await send(ada.cookie, "GET", "/session"))[0]).toBe(401);
    expect(await use(graces[1])).toBe(201);
  });
});

describe("recovery codes", () => {
  it("are ten, are shown once and kept as hashes, log in once each however they are typed, and the audit has each use", async () => {
    const { person, send, ask, json, owner } = await withPeople();
    const { id, cookie } = await person("ada", "support");
    const [status, { codes }] = await send(cookie, "POST", "/recovery-codes");
    const all = codes as string[];
    expect([status, all.length, new Set(all).size]).toEqual([201, 10, 10]);
    for (const code of all) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}$/);
    const kept = JSON.stringify([await rowsOf("recovery_codes"), await rowsOf("audit")]);
    for (const code of all) expect(kept).not.toContain(code.slice(0, 11));
    const use = (recovery: string) => json(ask("POST", "/api/session", { body: { recovery } }));
    expect(await use(all[0] ?? "")).toMatchObject([201, { who: "ada", role: "support" }]);
    expect(await use(all[0] ?? "")).toMatchObject([401, { code: "wrong_recovery_code", path: "recovery" }]);
    const typed = (all[1] ?? "").toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l");
    expect((await use(typed))[0]).toBe(201);
    const again = await Promise.all(Array.from({ length: 3 }, () => use(all[2] ?? "")));
    expect(again.map(([one]) => one).toSorted()).toEqual([201, 401, 401]);
    expect((await rowsOf("recovery_codes")).length).toBe(7);
    const [, { data }] = await send(owner, "GET", "/audit?operation=dashboard.recoveryCodes.use");
    expect(data).toMatchObject([{ who: "ada" }, { who: "ada" }, { who: "ada" }]);
    expect((await rowsOf("sessions")).at(-1)).toMatchObject({ person: id, via: "recovery" });
  });

  it("end with new ones and with the person, and guesses count as attempts", async () => {
    const { person, send, ask, json, owner } = await withPeople();
    const { id, cookie } = await person("ada", "support");
    const make = async () => (await send(cookie, "POST", "/recovery-codes"))[1].codes as string[];
    const [old, fresh] = [await make(), await make()];
    const use = async (recovery = "") => (await json(ask("POST", "/api/session", { body: { recovery } })))[0];
    expect([await use(old[0]), await use(fresh[0])]).toEqual([401, 201]);
    await send(owner, "DELETE", `/people/${id}`);
    expect(await use(fresh[1])).toBe(401);
    expect(await rowsOf("recovery_codes")).toEqual([]);
    for (let n = 0; n < 8; n += 1) expect(await use(`guess ${n}`)).toBe(401);
    expect(await use("guess")).toBe(429);
    const other = await person("eve", "support");
    const [, { codes }] = await send(other.cookie, "POST", "/recovery-codes");
    const [code] = codes as string[];
    expect([await use(code), await use(code)]).toEqual([201, 429]);
  });

  it("belong to a person: the admin token's login has none", async () => {
    const { send, owner } = await withPeople();
    expect(await send(owner, "POST", "/recovery-codes")).toMatchObject([409, { code: "no_person" }]);
  });
});
