import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { Logins } from "../../../src/dashboard/worker/logins.ts";
import { beyond } from "../../../src/dashboard/worker/roles.ts";
import { operations } from "../../../src/dashboard/worker/routes.ts";
import { includes, ROLES, type Role } from "../../../src/lib/contract/access.ts";
import { ACCESS, accessHeader, accessTeam } from "./access-bench.ts";
import { advance, cookieOf, isolated } from "./bench.ts";
import { actOf, exampleOf, FORWARDED, OWN } from "./operations.ts";
import { withPeople } from "./people-bench.ts";

isolated();

const MINUTE = 60_000;
const logins = () => (env as unknown as { LOGINS: DurableObjectNamespace<Logins> }).LOGINS.getByName("main");
const rowsOf = (table: string) =>
  runInDurableObject(logins(), (_, { storage }) => storage.sql.exec(`SELECT * FROM ${table}`).toArray());

describe("the roles", () => {
  it("let a viewer change nothing but the own login: all others are questions", () => {
    const login = /^dashboard\.(session|sessions|invites|passkeys|recoveryCodes)\./;
    const acts = [...operations].filter(
      ([name, { needs, effect }]) => needs === "viewer" && effect === "act" && !login.test(name),
    );
    expect(acts).toEqual([]);
  });

  it("let each role do more than the one before, and the owner everything", () => {
    const counts = ROLES.map((one) => Object.keys(beyond(one)).length);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect(new Set(counts).size).toBe(4);
    expect(counts.at(-1)).toBe(0);
  });
});

describe("a person of a role", () => {
  it.each(ROLES)("reaches a half with what the role allows, and with nothing else: %s", async (mine) => {
    const { person, ask, bridge, email } = await withPeople();
    const { cookie } = await person("ada", mine);
    const wrong: unknown[] = [];
    for (const { name, operation, path } of FORWARDED) {
      const before = bridge.requests.length + email.requests.length;
      const answer = await ask(operation.method, path, { cookie, ...actOf(operation) });
      const reached = bridge.requests.length + email.requests.length - before;
      const isAllowed = includes(mine, operation.needs);
      const { code, message = "" } = (await answer.json()) as { code?: string; message?: string };
      const isRight = isAllowed
        ? answer.status === 200 && reached === 1
        : answer.status === 403 && code === "role_required" && reached === 0 && message.includes(`yours is ${mine}`);
      if (!isRight) wrong.push([name, answer.status, code, reached]);
    }
    expect(wrong).toEqual([]);
    const audit = await rowsOf("audit");
    const refused = audit.filter(({ who, status }) => who === "ada" && status === 403);
    expect(refused.length).toBe(
      FORWARDED.filter(({ operation: { needs, effect } }) => !includes(mine, needs) && effect === "act").length,
    );
  });

  it.each(ROLES)("does with the dashboard itself what the role allows: %s", async (mine) => {
    const { person, ask } = await withPeople();
    const { cookie } = await person("ada", mine);
    const refused: string[] = [];
    // Operations that end the session come last.
    const last = ["dashboard.session.delete", "dashboard.sessions.delete"];
    for (const { name, operation, path } of OWN.toSorted((a, b) => last.indexOf(a.name) - last.indexOf(b.name))) {
      const answer = await ask(operation.method, path, { cookie, ...exampleOf(operation) });
      if (((await answer.json()) as { code?: string }).code === "role_required") refused.push(name);
    }
    expect(refused.toSorted()).toEqual(
      OWN.filter(({ operation }) => !includes(mine, operation.needs))
        .map(({ name }) => name)
        .toSorted(),
    );
  });

  it("reads the body of a webhook, a mail as it was sent, and files of people only from the role on that has them", async () => {
    const { person, ask } = await withPeople();
    const asked = {
      "/api/bridge/webhooks/wh_1?body=0": ["viewer"],
      "/api/bridge/webhooks/wh_1?body=1": ["support"],
      "/api/bridge/webhooks/wh_1": ["support"],
      "/api/bridge/webhooks/wh_1?body=": ["support"],
      "/api/bridge/webhooks/wh_1?body=0&body=1": ["support"],
      "/api/email/teams/acme/sends/snd_1/content": ["support"],
      "/api/email/teams/acme/sends/snd_1": ["viewer"],
      "/api/email/teams/acme/suppressions.csv": ["editor"],
      "/api/email/teams/acme/campaigns/cmp_1/recipients.csv": ["editor"],
      "/api/email/teams/acme/imports/imp_1/outcome.csv": ["editor"],
    };
    for (const mine of ROLES) {
      const { cookie } = await person(mine === "owner" ? "olga" : mine, mine);
      for (const [path, [needed]] of Object.entries(asked))
        expect([mine, path, (await ask("GET", path, { cookie })).status]).toEqual([
          mine,
          path,
          includes(mine, needed as Role) ? 200 : 403,
        ]);
    }
  });

  it("runs the rules on a stored webhook only from the role on that has its body", async () => {
    const { person, ask, bridge } = await withPeople();
    const statuses = async (mine: Role) => {
      const { cookie } = await person(mine === "owner" ? "olga" : mine, mine);
      const run = async (raw: string) => (await ask("POST", "/api/bridge/rules/try", { cookie, raw })).status;
      return [
        await run('{"source":"stripe","body":{"webhook":"wh_1"}}'),
        await run('{"webhook":"wh_1"}'),
        await run('{"source":"stripe","webh\\u006fok":"wh_1"}'),
        await run("["),
      ];
    };
    expect(await statuses("viewer")).toEqual([200, 403, 403, 403]);
    expect(bridge.requests.map(({ body }) => body)).toEqual(['{"source":"stripe","body":{"webhook":"wh_1"}}']);
    expect(await statuses("support")).toEqual([200, 200, 200, 200]);
  });

  it("searches mails by their subject only from the role on that may read them, and that is in the audit", async () => {
    const { person, ask, email, send, owner } = await withPeople();
    const statuses = async (mine: Role) => {
      const { cookie } = await person(mine, mine);
      const search = async (query: string) =>
        (await ask("GET", `/api/email/teams/acme/sends${query}`, { cookie })).status;
      return [
        await search(""),
        await search("?to=ada@example.com"),
        await search("?subject=4711"),
        await search("?state=sent&subj%65ct=4711"),
        await search("?subject="),
      ];
    };
    expect(await statuses("viewer")).toEqual([200, 200, 403, 403, 403]);
    expect(email.requests).toHaveLength(2);
    expect(await statuses("support")).toEqual([200, 200, 200, 200, 200]);
    const [, { data }] = await send(owner, "GET", "/audit?operation=email.sends");
    expect(data).toHaveLength(6);
  });

  it("estimates the recipients of a campaign and sees what sending lacks, and counts exactly and sends from the role on that may", async () => {
    const { person, ask, email } = await withPeople();
    const at = "/api/email/teams/acme/campaigns/cmp_1";
    const asked: [path: string, raw: string, needed: Role][] = [
      ...["", "{}", '{"exact":false}', '{"audience":{"mailingListId":null}}'].map((raw): [string, string, Role] => [
        "estimate",
        raw,
        "viewer",
      ]),
      ...[
        '{"exact":true}',
        '{"exact":"false"}',
        '{"exact":null}',
        '{"\\u0065xact":true}',
        '{"exact":false,"exact":true}',
        '{"cursor":"a"}',
        '{"exact":false,"cursor":"a"}',
        '{"exact":false',
        "[]",
      ].map((raw): [string, string, Role] => ["estimate", raw, "editor"]),
      ["send", '{"dryRun":true}', "viewer"],
      ["send", '{"dryRun":true,"expected":5}', "viewer"],
      ...[
        '{"expected":5}',
        '{"dryRun":false,"expected":5}',
        '{"dryRun":true,"dryRun":false,"expected":5}',
        '{"dryRun":true',
      ].map((raw): [string, string, Role] => ["send", raw, "editor"]),
      ["send?dryRun=true", '{"expected":5}', "editor"],
    ];
    for (const mine of ["viewer", "support", "editor"] as const) {
      const { cookie } = await person(mine, mine);
      for (const [path, raw, needed] of asked) {
        const before = email.requests.length;
        const { status } = await ask("POST", `${at}/${path}`, { cookie, raw });
        const isAllowed = includes(mine, needed);
        expect([mine, path, raw, status === 403, email.requests.length - before]).toEqual([
          mine,
          path,
          raw,
          !isAllowed,
          isAllowed ? 1 : 0,
        ]);
      }
    }
  });

  it("is told which part of an operation the role does not allow", () => {
    for (const mine of ["viewer", "support"] as const) {
      expect(beyond(mine)).toMatchObject({
        "email.campaigns.estimate?exact": "editor",
        "email.campaigns.send": "editor",
      });
      for (const name of ["email.campaigns.send?dryRun", "email.campaigns.estimate"])
        expect(beyond(mine)).not.toHaveProperty([name]);
    }
    expect(beyond("editor")).not.toHaveProperty(["email.campaigns.estimate?exact"]);
  });

  it("is named to the halves and in the audit, also where the role refused", async () => {
    const { person, ask, bridge, send, owner } = await withPeople();
    const { cookie } = await person("Ada L.", "support");
    await ask("POST", "/api/bridge/deliveries/wh_1.0/retry", { cookie, body: {} });
    await ask("POST", "/api/bridge/erase", { cookie, body: { email: "x@y.example" } });
    expect(bridge.requests.map(({ headers }) => headers.get("X-Mailspan-Actor"))).toEqual(["Ada L."]);
    const [, { data }] = await send(owner, "GET", "/audit?who=ada l.&operation=bridge");
    expect(data).toMatchObject([
      { who: "Ada L.", operation: "bridge.people.erase", status: 403 },
      { who: "Ada L.", operation: "bridge.deliveries.retry", status: 200 },
    ]);
  });

  it("is told what the role does not allow, with the least role that does", async () => {
    const { person, send } = await withPeople();
    const { cookie } = await person("ada", "support");
    const [, { me }] = await send(cookie, "GET", "/about");
    expect(me).toMatchObject({
      role: "support",
      needs: { "email.keys.create": "owner", "email.lists.create": "editor" },
    });
    expect((me as { needs: object }).needs).not.toHaveProperty(["bridge.deliveries.retry"]);
  });
});

describe("a change of a role", () => {
  it("counts from the next request on, in a session of before, up and down", async () => {
    const { person, send, owner } = await withPeople();
    const { id, cookie } = await person("ada", "viewer");
    const list = async () => (await send(cookie, "POST", "/email/teams/acme/lists", { name: "News" }))[0];
    expect(await list()).toBe(403);
    expect(await send(owner, "POST", `/people/${id}`, { role: "editor" })).toEqual([
      200,
      { id, name: "ada", role: "editor" },
    ]);
    expect([await list(), await send(cookie, "GET", "/session")]).toMatchObject([200, [200, { role: "editor" }]]);
    await send(owner, "POST", `/people/${id}`, { role: "viewer" });
    expect(await list()).toBe(403);
    expect(await send(owner, "GET", "/sessions")).toMatchObject([
      200,
      {
        data: [
          { who: "ada", role: "viewer" },
          { who: "owner", role: "owner" },
        ],
      },
    ]);
  });

  it("needs an owner, a proof that is not old, and a person; the audit has it, and each attempt", async () => {
    const { person, send, owner } = await withPeople();
    const [ada, olga] = [await person("ada", "editor"), await person("olga", "owner")];
    const up = (cookie: string) => send(cookie, "POST", `/people/${ada.id}`, { role: "owner" });
    expect(await up(ada.cookie)).toMatchObject([403, { code: "role_required" }]);
    expect(await send(owner, "POST", "/people/per_none", { role: "owner" })).toMatchObject([404, { path: "personId" }]);
    expect((await up(olga.cookie))[0]).toBe(200);
    advance(15 * MINUTE);
    expect(await up(olga.cookie)).toMatchObject([403, { code: "proof_required" }]);
    const [, { data }] = await send(olga.cookie, "GET", "/audit?operation=dashboard.people.update");
    expect(data).toMatchObject([
      { who: "olga", status: 403 },
      { who: "olga", status: 200, ids: { personId: ada.id, name: "ada", role: "owner" } },
      { who: "ada", status: 403 },
    ]);
  });
});

describe("a person who is removed", () => {
  it("is out at once: sessions, passkeys, codes and link are gone, and those of others stay", async () => {
    const { person, send, owner, logInWith } = await withPeople();
    const [ada, grace] = [await person("ada", "owner"), await person("grace", "viewer")];
    const second = cookieOf(await logInWith(ada.authenticator));
    await send(ada.cookie, "POST", "/recovery-codes");
    await send(owner, "POST", `/people/${ada.id}/invite`);
    expect(await send(owner, "DELETE", `/people/${ada.id}`)).toEqual([200, { success: true }]);
    for (const cookie of [ada.cookie, second]) {
      expect(await send(cookie, "GET", "/session")).toMatchObject([401, { code: "session_required" }]);
      expect((await send(cookie, "GET", "/bridge/status"))[0]).toBe(401);
    }
    expect((await logInWith(ada.authenticator)).status).toBe(401);
    expect((await send(grace.cookie, "GET", "/session"))[0]).toBe(200);
    for (const table of ["people", "passkeys", "recovery_codes", "invites", "sessions"])
      expect([table, JSON.stringify(await rowsOf(table)).includes(ada.id)]).toEqual([table, false]);
    expect(await send(owner, "DELETE", `/people/${ada.id}`)).toMatchObject([404, { code: "not_found" }]);
  });

  it.each<[string, (id: string) => [string, string, object?]]>([
    ["is removed", (id) => ["DELETE", `/people/${id}`]],
    ["is no owner any more", (id) => ["POST", `/people/${id}`, { role: "editor" }]],
  ])("%s: the links that this person made end, and those of others stay", async (_, end) => {
    const { person, send, open, invite, owner } = await withPeople();
    const ada = await person("Ada", "owner");
    const [, made] = await send(ada.cookie, "POST", "/people", { name: "backdoor", role: "owner" });
    const { id, invite: own } = await invite("eve", "viewer");
    const [, again] = await send(ada.cookie, "POST", `/people/${id}/invite`);
    const other = await invite("grace", "viewer");
    await send(owner, "POST", `/people/${ada.id}`, { role: "owner" });
    expect((await open(String(made.invite)))[0]).toBe(200);
    expect((await send(owner, ...end(ada.id)))[0]).toBe(200);
    for (const secret of [made.invite, again.invite, own]) expect((await open(String(secret)))[0]).toBe(401);
    expect((await open(other.invite))[0]).toBe(200);
  });

  it("may be the last owner, and oneself: the admin token still lets an owner in", async () => {
    const { person, send, logIn } = await withPeople();
    const { id, cookie } = await person("ada", "owner");
    expect((await send(cookie, "DELETE", `/people/${id}`))[0]).toBe(200);
    expect((await send(cookie, "GET", "/session"))[0]).toBe(401);
    expect((await send(await logIn(), "GET", "/people"))[1]).toEqual({ data: [] });
  });
});

describe("the list of people", () => {
  it("has everybody, and passkeys of others for owners alone", async () => {
    const { person, send, owner } = await withPeople();
    const ada = await person("ada", "viewer");
    await person("grace", "owner");
    const [, { data: seen }] = await send(ada.cookie, "GET", "/people");
    expect(seen).toMatchObject([
      { name: "ada", isMe: true, passkeys: [{ name: "Passkey 1" }], recoveryCodes: 0, invitedUntil: null },
      { name: "grace", isMe: false, passkeys: null, recoveryCodes: null },
    ]);
    const [, { data }] = await send(owner, "GET", "/people");
    expect(data).toMatchObject([{ passkeys: [{}] }, { passkeys: [{}] }]);
    expect(JSON.stringify(data)).not.toMatch(/publicKey|hash/);
  });

  it("shows the sessions of others to owners alone, and others end their own", async () => {
    const { person, send, owner } = await withPeople();
    const [ada, grace] = [await person("ada", "editor"), await person("grace", "viewer")];
    expect((await send(ada.cookie, "GET", "/sessions"))[1]).toMatchObject({ data: [{ who: "ada" }] });
    expect((await send(ada.cookie, "DELETE", "/sessions"))[0]).toBe(200);
    expect((await send(ada.cookie, "GET", "/session"))[0]).toBe(401);
    for (const cookie of [owner, grace.cookie]) expect((await send(cookie, "GET", "/session"))[0]).toBe(200);
  });

  it("has a name once, however its letters are written", async () => {
    const { send, owner } = await withPeople();
    const invite = (name: string) => send(owner, "POST", "/people", { name, role: "viewer" });
    expect(await invite("Rene\u0301")).toMatchObject([201, { name: "Ren\u00e9" }]);
    expect(await invite("ren\u00e9")).toMatchObject([409, { code: "person_exists", path: "name" }]);
  });

  it.each([
    ["ada", "ADA"],
    ["ada", "аdа".replace("d", "ԁ")],
    ["KATE", "КАТЕ"],
    ["Alice", "AIice"],
    ["Alice", "A1ice"],
    ["Owen", "0wen"],
    ["Vernon", "Vemon"],
    ["Νικη", "ΝΙΚΗ"],
    ["ada@example.com", "ADA@EXAMPLE.COM"],
  ])("has %s, and so not %s, which looks the same", async (first, second) => {
    const { send, owner } = await withPeople();
    const invite = (name: string) => send(owner, "POST", "/people", { name, role: "viewer" });
    expect((await invite(first))[0]).toBe(201);
    expect(await invite(second)).toMatchObject([409, { code: "person_exists", path: "name" }]);
  });

  it.each(["аda", "Αda", "ada@exаmple.com", "Mаx M", "unknown", "unknοwn", "Token", "0wner", "ІосаІ", "Locаl"])(
    "has no %s, which could look like another name",
    async (name) => {
      const { send, owner } = await withPeople();
      const answer = await send(owner, "POST", "/people", { name, role: "viewer" });
      expect(answer).toMatchObject([400, { code: "invalid_request", path: "name" }]);
    },
  );

  it("has names of any alphabet, and addresses with two", async () => {
    const { send, owner } = await withPeople();
    for (const name of [
      "Łukasz",
      "Łukasz@пример.рф",
      "Ада",
      "Νίκη Παπα",
      "山田 Taro",
      "李ming",
      "René",
      "Rene",
      "Ian",
      "ada-2",
    ])
      expect([name, (await send(owner, "POST", "/people", { name, role: "viewer" }))[0]]).toEqual([name, 201]);
  });

  it("is full at 200", async () => {
    const { send, owner } = await withPeople();
    await runInDurableObject(logins(), (_, { storage }) => {
      for (let n = 0; n < 200; n += 1)
        storage.sql.exec("INSERT INTO people VALUES (?1, ?1, ?1, 'viewer', 0, 'owner', NULL)", `p${n}`);
    });
    expect(await send(owner, "POST", "/people", { name: "one more", role: "viewer" })).toMatchObject([
      409,
      { code: "too_many_people" },
    ]);
  });
});

describe("with Cloudflare Access", () => {
  let team: Awaited<ReturnType<typeof accessTeam>>;
  beforeAll(async () => {
    team = await accessTeam();
  });
  const behindAccess = async (changes: object = {}) => {
    (team.context.cache as Map<string, unknown>).clear();
    const made = await withPeople({ ...ACCESS, ...changes }, team.context);
    const enter = async () =>
      made.ask("POST", "/api/session", { body: {}, headers: accessHeader(await team.assertion()) });
    return { ...made, enter };
  };

  it("a person with an entry has its role, also in a session of before; without one, that of owner", async () => {
    const { enter, invite, send, owner } = await behindAccess();
    const before = cookieOf(await enter());
    expect(await send(before, "GET", "/session")).toMatchObject([200, { who: "ada@example.com", role: "owner" }]);
    const { id } = await invite("Ada@Example.com", "viewer");
    expect(await send(before, "GET", "/session")).toMatchObject([200, { role: "viewer" }]);
    const answer = await enter();
    expect([answer.status, await answer.json()]).toMatchObject([201, { role: "viewer" }]);
    const cookie = cookieOf(answer);
    expect((await send(cookie, "POST", "/email/teams/acme/lists", { name: "News" }))[0]).toBe(403);
    expect((await send(cookie, "POST", "/passkeys/options"))[0]).toBe(200);
    await send(owner, "DELETE", `/people/${id}`);
    for (const one of [before, cookie]) expect((await send(one, "GET", "/session"))[0]).toBe(401);
    const removed = await enter();
    expect([removed.status, await removed.json()]).toMatchObject([403, { code: "role_required" }]);
  });

  it("without ACCESS_ROLE the first entry ends the role of all without one, but the inviter gets an entry", async () => {
    const { enter, ask, send } = await behindAccess();
    const cookie = cookieOf(await enter());
    const headers = accessHeader(await team.assertion({ email: "vera@example.com" }));
    const vera = cookieOf(await ask("POST", "/api/session", { body: {}, headers }));
    expect(await send(cookie, "POST", "/people", { name: "Vera", role: "viewer" })).toMatchObject([
      400,
      { path: "name", message: expect.stringContaining("address") },
    ]);
    expect((await send(cookie, "POST", "/people", { name: "bob@example.com", role: "viewer" }))[0]).toBe(201);
    expect(await send(vera, "GET", "/session")).toMatchObject([403, { code: "role_required" }]);
    expect((await ask("POST", "/api/session", { body: {}, headers })).status).toBe(403);
    expect(await send(cookie, "GET", "/session")).toMatchObject([200, { role: "owner" }]);
    expect((await send(cookie, "GET", "/people"))[1]).toMatchObject({
      data: [
        { name: "ada@example.com", role: "owner", isMe: true },
        { name: "bob@example.com", role: "viewer" },
      ],
    });
    expect((await send(cookie, "GET", "/about"))[1]).toMatchObject({ access: true, accessRole: null });
  });

  it("ACCESS_ROLE=owner is what an operator has said: it stays with entries too", async () => {
    const { enter, invite, send } = await behindAccess({ ACCESS_ROLE: "owner" });
    await invite("bob@example.com", "viewer");
    const cookie = cookieOf(await enter());
    expect(await send(cookie, "GET", "/session")).toMatchObject([200, { role: "owner" }]);
    expect((await send(cookie, "GET", "/about"))[1]).toMatchObject({ accessRole: "owner" });
  });

  it.each([
    ["viewer", 201, "viewer"],
    ["none", 403, undefined],
    ["onwer", 403, undefined],
    ["", 403, undefined],
  ])(
    "ACCESS_ROLE=%s is the role of those without an entry, now and in a session of before",
    async (given, status, role) => {
      const open = await behindAccess();
      const before = cookieOf(await open.enter());
      const { enter, invite, send } = await behindAccess({ ACCESS_ROLE: given });
      const answer = await enter();
      expect(answer.status).toBe(status);
      expect(await answer.json()).toMatchObject(role ? { role } : { code: "role_required" });
      expect(await send(before, "GET", "/session")).toMatchObject(
        role ? [200, { role }] : [403, { code: "role_required", message: expect.stringContaining("ada@example.com") }],
      );
      await invite("ada@example.com", "editor");
      expect(await (await enter()).json()).toMatchObject({ role: "editor" });
    },
  );
});
