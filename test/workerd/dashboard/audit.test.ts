import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Logins } from "../../../src/dashboard/worker/logins.ts";
import { ACCESS, accessHeader, accessTeam } from "./access-bench.ts";
import { advance, dashboard, isolated, recorder, TOKEN } from "./bench.ts";
import { exampleOf, FORWARDED, hasDryRun, OWN } from "./operations.ts";
import { withPeople } from "./people-bench.ts";

isolated();

const logins = () => (env as unknown as { LOGINS: DurableObjectNamespace<Logins> }).LOGINS.getByName("main");
const json = async (answer: Response) => [answer.status, await answer.json()];

describe("the audit", () => {
  it("has who changed what, without bodies, for 90 days", async () => {
    const { ask, logIn } = dashboard();
    const cookie = await logIn();
    await ask("GET", "/api/bridge/status", { cookie });
    await ask("POST", "/api/bridge/deliveries/wh_1.0/retry", { cookie, body: {} });
    await ask("DELETE", "/api/email/teams/acme/keys/key_1", { cookie });
    const read = async (query = "") => {
      const answer = await ask("GET", `/api/audit${query}`, { cookie });
      return (await answer.json()) as { data: unknown[]; next: string | null };
    };
    const at = new Date(Date.now()).toISOString();
    expect(await read()).toEqual({
      data: [
        {
          id: "3",
          at,
          who: "owner",
          from: "local",
          operation: "email.keys.revoke",
          summary: "Revoke an API key: it is refused from now on",
          ids: { team: "acme", keyId: "key_1" },
          status: 200,
        },
        {
          id: "2",
          at,
          who: "owner",
          from: "local",
          operation: "bridge.deliveries.retry",
          summary: "Retry a failed or undecided delivery",
          ids: { deliveryId: "wh_1.0" },
          status: 200,
        },
        {
          id: "1",
          at,
          who: "owner",
          from: "local",
          operation: "dashboard.session.create",
          summary: "Log in",
          ids: { via: "token" },
          status: 201,
        },
      ],
      next: null,
    });
    expect((await read("?operation=bridge.deliveries.retry")).data).toHaveLength(1);
    expect((await read("?who=ada")).data).toEqual([]);
    expect((await read("?operation=email.")).data).toHaveLength(1);
    expect((await read("?operation=mail")).data).toEqual([]);
    const hour = (hours: number) => encodeURIComponent(new Date(Date.parse(at) + hours * 3_600_000).toISOString());
    expect((await read("?since=1h")).data).toHaveLength(3);
    expect((await read(`?since=${hour(-1)}&until=${hour(1)}`)).data).toHaveLength(3);
    expect((await read("?until=1h")).data).toEqual([]);
    expect((await read(`?since=${hour(1)}`)).data).toEqual([]);
    for (const wrong of ["since=soon", "until=2026-13-45"])
      expect(await json(await ask("GET", `/api/audit?${wrong}`, { cookie }))).toEqual([
        400,
        expect.objectContaining({ message: expect.stringMatching(/^(since|until)/) }),
      ]);
    advance(90 * 86_400_000);
    const again = await logIn();
    expect(await json(await ask("GET", "/api/audit", { cookie: again }))).toEqual([
      200,
      { data: [expect.objectContaining({ id: "4", operation: "dashboard.session.create" })], next: null },
    ]);
  });

  it("has an entry once, though it was noted again after a lost answer", async () => {
    const { ask, logIn } = dashboard();
    const cookie = await logIn();
    const entry = {
      at: Date.now(),
      who: "ada",
      from: "local",
      operation: "bridge.deliveries.retry",
      ids: {},
      status: 200,
    };
    for (const request of ["one", "one", "two"]) await logins().note(entry, request);
    const { data } = (await (await ask("GET", "/api/audit?who=ada", { cookie })).json()) as { data: object[] };
    expect(data).toHaveLength(2);
    expect(data[0]).not.toHaveProperty("request");
  });

  it("finds who changed something without regard to the case of ASCII letters, as addresses are compared", async () => {
    const { ask, logIn } = dashboard();
    const cookie = await logIn();
    const at = Date.now();
    for (const who of ["Ada@Example.com", "ada@example.com", "ÄDA@example.com", "eve@example.com"])
      await logins().note({ at, who, from: "local", operation: "bridge.deliveries.retry", ids: {}, status: 200 }, who);
    const found = async (who: string) => {
      const answer = await ask("GET", `/api/audit?who=${encodeURIComponent(who)}`, { cookie });
      return ((await answer.json()) as { data: { who: string }[] }).data.map((entry) => entry.who);
    };
    expect(await found("ADA@example.COM")).toEqual(["ada@example.com", "Ada@Example.com"]);
    expect(await found("äda@example.com")).toEqual([]);
    expect(await found("Äda@Example.com")).toEqual(["ÄDA@example.com"]);
    expect(await found("da@example.com")).toEqual([]);
    expect(await found("%")).toEqual([]);
  });

  it("has no question and no dry run, of all operations that have one; walls.test.ts has all others", async () => {
    const { ask, logIn } = dashboard();
    const cookie = await logIn();
    for (const { name, operation, path } of FORWARDED.filter(
      ({ operation: { effect, dryRun } }) => effect === "question" || dryRun !== undefined,
    ))
      for (const dryRun of [true, ...(name.startsWith("bridge.v1") || name.startsWith("email") ? [] : ["1", "true"])]) {
        const { body = {} } = exampleOf(operation);
        const given = operation.effect === "question" ? body : { ...body, dryRun };
        expect([name, (await ask(operation.method, path, { cookie, body: given })).status]).toEqual([name, 200]);
        if (operation.method !== "DELETE") continue;
        expect((await ask("DELETE", `${path}?dryRun=true`, { cookie })).status).toBe(200);
      }
    const entries = await runInDurableObject(logins(), (_, { storage }) =>
      storage.sql.exec("SELECT operation FROM audit WHERE operation NOT LIKE 'dashboard.%'").toArray(),
    );
    expect(entries).toEqual([]);
  });

  it("knows each operation that can be a dry run; the one of an import writes outcomes", () => {
    const all = [...FORWARDED, ...OWN];
    const names = all.filter(({ operation }) => hasDryRun(operation)).map(({ name }) => name);
    const known = all.filter(({ operation }) => operation.dryRun !== undefined).map(({ name }) => name);
    expect(names.toSorted()).toEqual([...known, "email.imports.start"].toSorted());
  });

  const CAMPAIGN = "/api/email/teams/acme/campaigns/cmp_1/send";
  const NODE = "/api/email/teams/acme/v1/workflows/wfl_1/nodes/nod_1";
  it.each<[string, string, string, string | undefined]>([
    ["a dry run in the query of a POST", "POST", `${CAMPAIGN}?dryRun=true`, '{"expected":1}'],
    ["a dry run that is taken back", "POST", CAMPAIGN, '{"dryRun":true,"dryRun":false,"expected":1}'],
    ["a body that cannot be read", "POST", CAMPAIGN, '{"dryRun":true'],
    ["a dry run in the query, and none in the body", "DELETE", `${NODE}?dryRun=true`, '{"dryRun":false}'],
    ["two words in the query", "DELETE", `${NODE}?dryRun=true&dryRun=false`, undefined],
    ["a dry run of null", "DELETE", NODE, '{"dryRun":null}'],
    ["a replay that is none", "POST", "/api/bridge/webhooks/wh_1/replay", '{"dryRun":"0"}'],
    ["an import that checks every row", "POST", "/api/email/teams/acme/imports/imp_1/start", '{"dryRun":true}'],
  ])("has what only looks like a dry run: %s", async (_, method, path, raw) => {
    const { ask, logIn } = dashboard();
    const cookie = await logIn();
    await ask(method, path, { cookie, ...(raw === undefined ? {} : { raw }) });
    const { data } = (await (await ask("GET", "/api/audit", { cookie })).json()) as { data: object[] };
    expect(data).toHaveLength(2);
  });

  it("has no address of a person that stands in a path", async () => {
    const { ask, logIn } = dashboard();
    const cookie = await logIn();
    await ask("POST", "/api/bridge/deliveries/ada%40example.com/retry", { cookie, body: {} });
    const { data } = (await (await ask("GET", "/api/audit?operation=bridge", { cookie })).json()) as { data: object[] };
    expect(data).toMatchObject([{ operation: "bridge.deliveries.retry", ids: { deliveryId: "(address)" } }]);
  });

  it("has no replay that says nothing: it is a dry run", async () => {
    const { ask, logIn, bridge } = dashboard();
    const cookie = await logIn();
    await ask("POST", "/api/bridge/webhooks/wh_1/replay", { cookie, body: { actions: ["contact"] } });
    expect(bridge.requests).toHaveLength(1);
    expect(await (await ask("GET", "/api/audit?operation=bridge", { cookie })).json()).toEqual({
      data: [],
      next: null,
    });
  });

  it("has an act that the role refused, and no dry run that it refused", async () => {
    const { person, ask, send, owner } = await withPeople();
    const { cookie } = await person("vera", "viewer");
    const path = "/api/email/teams/acme/workflows/wfl_1/start";
    for (const dryRun of [true, false])
      expect((await ask("POST", path, { cookie, body: { dryRun } })).status).toBe(403);
    const [, { data }] = await send(owner, "GET", "/audit?operation=email");
    expect(data).toMatchObject([{ who: "vera", operation: "email.workflows.start", status: 403 }]);
    expect(data).toHaveLength(1);
  });

  it("has who ran the rules on a stored webhook, which shows its body", async () => {
    const { ask, logIn } = dashboard();
    const cookie = await logIn();
    for (const body of [{ webhook: "wh_1" }, { source: "stripe", body: {} }])
      await ask("POST", "/api/bridge/rules/try", { cookie, body });
    const { data } = (await (await ask("GET", "/api/audit?operation=bridge", { cookie })).json()) as { data: object[] };
    expect(data).toMatchObject([{ operation: "bridge.rules.run" }]);
  });

  it("has who read the body of a webhook", async () => {
    const { ask, logIn } = dashboard();
    const cookie = await logIn();
    for (const query of ["?body=0", "?body=false", "?body=1", ""])
      await ask("GET", `/api/bridge/webhooks/wh_1${query}`, { cookie });
    const { data } = (await (await ask("GET", "/api/audit?operation=bridge", { cookie })).json()) as { data: object[] };
    expect(data).toEqual(
      [1, 2].map(() => expect.objectContaining({ operation: "bridge.webhooks.get", ids: { webhookId: "wh_1" } })),
    );
  });

  it("has who read a mail as it was sent and files of people, and whom the role refused that", async () => {
    const { person, ask, send, owner } = await withPeople();
    const { cookie: support } = await person("sue", "support");
    const reads = {
      "email.sends.content": "sends/snd_1/content",
      "email.suppressions.file": "suppressions.csv",
      "email.imports.outcomeFile": "imports/imp_1/outcome.csv",
      "email.campaigns.recipientsFile": "campaigns/cmp_1/recipients.csv",
    };
    for (const [operation, path] of Object.entries(reads)) {
      for (const cookie of [owner, support]) await ask("GET", `/api/email/teams/acme/${path}`, { cookie });
      const [, { data }] = await send(owner, "GET", `/audit?operation=${operation}`);
      const status = operation === "email.sends.content" ? 200 : 403;
      expect(data).toMatchObject([
        { who: "sue", status },
        { who: "owner", status: 200 },
      ]);
    }
    await ask("GET", "/api/email/teams/acme/sends/snd_1", { cookie: owner });
    expect((await send(owner, "GET", "/audit?operation=email.sends.get"))[1]).toMatchObject({ data: [] });
  });

  it("has the status of what was refused by the half, by the dashboard, and of an act without an answer", async () => {
    const statuses = async (changes: object) => {
      const { ask, logIn } = dashboard(changes);
      const cookie = await logIn();
      const at = Date.now();
      await ask("POST", "/api/bridge/deliveries/wh_1.0/retry", { cookie, body: {} });
      advance(15 * 60_000);
      await ask("POST", "/api/bridge/erase", { cookie, body: { email: "ada@example.com" } });
      const since = encodeURIComponent(new Date(at).toISOString());
      const answer = await ask("GET", `/api/audit?operation=bridge&since=${since}`, { cookie });
      const { data } = (await answer.json()) as { data: { operation: string; status: number }[] };
      advance(60_000);
      return data.map(({ operation, status }) => [operation, status]).toReversed();
    };
    const refusing = recorder(() => Response.json({ code: "not_found", message: "no" }, { status: 404 }));
    const erase = ["bridge.people.erase", 403];
    expect(await statuses({ BRIDGE: refusing })).toEqual([["bridge.deliveries.retry", 404], erase]);
    expect(await statuses({ BRIDGE: undefined })).toEqual([["bridge.deliveries.retry", 404], erase]);
    const silent = { fetch: () => Promise.reject(new Error("gone")) };
    expect(await statuses({ BRIDGE: silent })).toEqual([["bridge.deliveries.retry", 502], erase]);
  });

  it("has who ended all sessions", async () => {
    const { ask, logIn } = dashboard();
    await ask("DELETE", "/api/sessions", { cookie: await logIn() });
    const path = "/api/audit?operation=dashboard.sessions";
    const { data } = (await (await ask("GET", path, { cookie: await logIn() })).json()) as { data: object[] };
    expect(data).toEqual([
      expect.objectContaining({ who: "owner", operation: "dashboard.sessions.delete", ids: {}, status: 200 }),
    ]);
  });

  it("has an act whose client did not wait for the answer", async () => {
    const reached = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<Response>();
    const BRIDGE = {
      fetch: () => {
        reached.resolve();
        return answered.promise;
      },
    };
    const { ask, logIn, kept } = dashboard({ BRIDGE });
    const cookie = await logIn();
    await Promise.all(kept.splice(0));
    const left = ask("POST", "/api/bridge/deliveries/wh_1.0/retry", { cookie, body: {} });
    await reached.promise;
    expect(kept).toHaveLength(1);
    answered.resolve(Response.json({ ok: true }));
    await kept[0];
    const entries = await runInDurableObject(logins(), (_, { storage }) =>
      storage.sql.exec("SELECT operation, status FROM audit WHERE operation LIKE 'bridge.%'").toArray(),
    );
    expect(entries).toEqual([{ operation: "bridge.deliveries.retry", status: 200 }]);
    await left;
  });

  it("is read in pages", async () => {
    const { ask, logIn } = dashboard();
    const cookie = await logIn();
    for (let n = 0; n < 60; n += 1) await ask("POST", `/api/bridge/deliveries/wh_${n}.0/retry`, { cookie, body: {} });
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const answer = await ask("GET", `/api/audit?operation=bridge&cursor=${cursor}`, { cookie });
      const { data, next } = (await answer.json()) as { data: { ids: { deliveryId: string } }[]; next: string | null };
      seen.push(...data.map(({ ids }) => ids.deliveryId));
      cursor = next;
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, n) => `wh_${59 - n}.0`));
  });
});

describe("the audit of logins", () => {
  const read = async (ask: ReturnType<typeof dashboard>["ask"], cookie: string, query = "operation=dashboard") => {
    const answer = await ask("GET", `/api/audit?${query}`, { cookie });
    return ((await answer.json()) as { data: Entry[] }).data.toReversed();
  };
  type Entry = {
    at: string;
    who: string;
    from: string;
    operation: string;
    ids: Record<string, string>;
    status: number;
  };
  const shown = ({ who, operation, ids, status }: Entry) => [who, operation.replace("dashboard.", ""), ids, status];

  it("has who logged in and how, who proved it once more, and who logged out", async () => {
    const { ask, logIn } = dashboard({ LOGIN_CODE: `${Date.now().toString(36)}.aRandomPart` });
    const cookie = await logIn();
    await ask("POST", "/api/session/prove", { cookie, body: { token: TOKEN } });
    await ask("DELETE", "/api/session", { cookie });
    await ask("DELETE", "/api/session", { cookie });
    const other = await logIn({ code: `${Date.now().toString(36)}.aRandomPart` });
    expect((await read(ask, other)).map(shown)).toEqual([
      ["owner", "session.create", { via: "token" }, 201],
      ["owner", "session.prove", { via: "token" }, 200],
      ["owner", "session.delete", {}, 200],
      ["local", "session.create", { via: "code" }, 201],
    ]);
  });

  it("has what people do with passkeys and recovery codes", async () => {
    const { person, send, logInWith, ask, owner } = await withPeople();
    const ada = await person("ada", "viewer");
    await logInWith(ada.authenticator);
    const [, { codes }] = await send(ada.cookie, "POST", "/recovery-codes");
    await ask("POST", "/api/session", { body: { recovery: (codes as string[])[0] } });
    const [, { data }] = await send(ada.cookie, "GET", "/people");
    const id = (data as { passkeys: { id: string }[] }[])[0]?.passkeys[0]?.id;
    await send(ada.cookie, "DELETE", `/passkeys/${id}`);
    expect((await read(ask, owner, "who=ada")).map(shown)).toEqual([
      ["ada", "invites.accept", { personId: ada.id }, 201],
      ["ada", "session.create", { via: "passkey" }, 201],
      ["ada", "session.create", { via: "passkey" }, 201],
      ["ada", "recoveryCodes.create", {}, 200],
      ["ada", "recoveryCodes.use", {}, 201],
      ["ada", "session.create", { via: "recovery" }, 201],
      ["ada", "passkeys.remove", { person: "ada", name: "Passkey 1" }, 200],
    ]);
  });

  it("counts refused logins and proofs of an address in one entry of a day", async () => {
    const { ask, logIn } = dashboard();
    const cookie = await logIn();
    const from = (ip: string) => ({ headers: { "CF-Connecting-IP": ip } });
    const wrong = (ip: string) => ask("POST", "/api/session", { body: { token: "wrong" }, ...from(ip) });
    for (let n = 0; n < 3; n += 1) {
      await wrong("192.0.2.1");
      advance(60_000);
    }
    await wrong("192.0.2.2");
    await ask("POST", "/api/session/prove", { cookie, body: { token: "wrong" }, ...from("192.0.2.2") });
    await ask("POST", "/api/invite", { body: { invite: "wrong" }, ...from("192.0.2.2") });
    const last = (at: number) => new Date(at).toISOString();
    const now = Date.now();
    expect((await read(ask, cookie)).slice(1).map(shown)).toEqual([
      ["unknown", "session.create", { attempts: "3", last: last(now - 60_000) }, 401],
      ["unknown", "session.create", { attempts: "1", last: last(now) }, 401],
      ["owner", "session.prove", { attempts: "1", last: last(now) }, 401],
      ["unknown", "invites.open", { attempts: "1", last: last(now) }, 401],
    ]);
    const addresses = (await read(ask, cookie)).map(({ from }) => from);
    expect(addresses).toEqual(["local", "192.0.2.1", "192.0.2.2", "192.0.2.2", "192.0.2.2"]);
    expect(await read(ask, cookie, "from=192.0.2.1")).toHaveLength(1);
    advance(86_400_000);
    await wrong("192.0.2.1");
    const again = await read(ask, await logIn(), "who=unknown&operation=dashboard.session");
    expect(again.map(({ ids }) => ids.attempts)).toEqual(["3", "1", "1"]);
  });

  it("has at most 101 entries of refused logins in a day, whoever tries, and no secret that was tried", async () => {
    const { ask, logIn } = dashboard();
    for (let n = 0; n < 120; n += 1)
      await ask("POST", "/api/session", {
        body: { token: "a-secret-of-mine" },
        headers: { "CF-Connecting-IP": `198.51.100.${n}` },
      });
    const rows = await runInDurableObject(logins(), (_, { storage }) =>
      storage.sql.exec<{ address: string; ids: string }>("SELECT address, ids FROM audit ORDER BY n").toArray(),
    );
    expect(rows).toHaveLength(101);
    expect(rows.at(-1)?.address).toBe("other addresses");
    expect(JSON.parse(String(rows.at(-1)?.ids))).toMatchObject({ attempts: "20" });
    expect(JSON.stringify(rows)).not.toContain("a-secret-of-mine");
    expect((await read(ask, await logIn())).at(-1)).toMatchObject({ who: "owner", status: 201 });
  });

  it("has whom Cloudflare Access lets in and who has no role here", async () => {
    const team = await accessTeam();
    const { ask, logIn } = dashboard({ ...ACCESS, ACCESS_ROLE: "none" }, team.context);
    for (let n = 0; n < 2; n += 1)
      await ask("POST", "/api/session", { body: {}, headers: accessHeader(await team.assertion()) });
    const [refused] = await read(ask, await logIn());
    expect(refused).toMatchObject({ who: "ada@example.com", status: 403, from: "local", ids: { attempts: "2" } });
  });
});
