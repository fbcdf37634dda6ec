import { runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { openKey } from "../../../../../src/email/mail/mime/dkim/seal.ts";
import { checkDueDomain } from "../../../../../src/email/workspace/domains/check.ts";
import { Workspace } from "../../../../../src/email/workspace/object.ts";
import { digest } from "../../../../../src/lib/util/hmac.ts";
import {
  advance,
  appWith,
  bindings,
  createTeam,
  handedOver,
  isolated,
  request,
  runAlarm,
  START,
  type Team,
} from "../../bench.ts";
import { arrangeDomain } from "../../examples.ts";
import { fakeDns, zoneOf } from "./dns.ts";

isolated();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const iso = (at: number) => new Date(at).toISOString();

let team: Team;
let dns: ReturnType<typeof fakeDns>;
let logged: MockInstance<typeof console.log>;
beforeEach(async () => {
  logged = vi.spyOn(console, "log").mockImplementation(() => {});
  team = await createTeam({ samples: true });
  dns = fakeDns();
});

const create = async (name = "mail.acme.example", more = {}) => team.admin("POST", "/domains", { name, ...more });
const get = async (id: string) => (await team.admin("GET", `/domains/${id}`)).json;
const check = async (id: string) => (await team.admin("POST", `/domains/${id}/check`)).json;
/** Waits in real time: the clock of these tests stands still. */
const until = async (isSo: () => Promise<boolean>) => {
  for (const end = performance.now() + 5_000; !(await isSo()); await new Promise((resolve) => setTimeout(resolve, 5)))
    if (performance.now() > end) throw new Error("not within 5 s");
};
const later = async (ms: number, id: string) => {
  advance(ms);
  const before = (await get(id)).checkedAt;
  await runAlarm(team.stub);
  await until(async () => (await get(id)).checkedAt !== before);
  return get(id);
};

describe("a new domain", () => {
  it("has a key of its own, its records and a first check after 5 minutes; the private key is sealed", async () => {
    const { status, json, text } = await create(" Mail.Acme.Example. ");
    expect(status).toBe(201);
    const { selector } = json.keys[0];
    expect(selector).toMatch(/^ms[0-9a-z]{10}$/);
    expect(json).toEqual({
      id: expect.stringMatching(/^dom_[0-9a-z]{20}$/),
      name: "mail.acme.example",
      isDefault: true,
      state: "pending",
      since: iso(START),
      failingSince: null,
      checkedAt: null,
      nextCheckAt: iso(START + 5 * MINUTE),
      createdAt: iso(START),
      warmup: { day: 1, cap: 500, marketing: 0, transactional: 0, capsTransactional: false },
      keys: [{ selector, state: "active", createdAt: iso(START), retiredAt: null }],
      records: [
        {
          kind: "dkim",
          type: "TXT",
          host: `${selector}._domainkey.mail.acme.example`,
          required: true,
          value: expect.stringMatching(/^v=DKIM1; k=rsa; p=[A-Za-z0-9+/]{392}$/),
          purpose: "DKIM: the public key with which receivers check that mail is from this domain.",
          status: "unchecked",
          found: [],
          message: "This record has not been checked yet.",
        },
        expect.objectContaining({ kind: "dmarc", host: "_dmarc.acme.example", required: false, status: "unchecked" }),
      ],
      notes: [expect.stringContaining("No sender but the local inbox is configured.")],
    });
    const [row] = await team.rows("SELECT sealed_key FROM dkim_keys");
    const owner = `acme ${selector}`;
    const opened = await openKey(String(row?.sealed_key), ["test-dkim-secret"], owner);
    expect(opened?.length).toBeGreaterThan(1_000);
    expect(text).not.toContain(row?.sealed_key);
  });

  it("is the default if it is the first or asked for, until another is chosen", async () => {
    const { id: first } = (await create("one.example")).json;
    const { id: second } = (await create("two.example")).json;
    const { id: third } = (await create("three.example", { isDefault: true })).json;
    const defaults = async () =>
      (await team.admin("GET", "/domains")).json.data
        .filter(({ isDefault }: { isDefault: boolean }) => isDefault)
        .map(({ id }: { id: string }) => id);
    expect(await defaults()).toEqual([third]);
    expect((await team.admin("POST", `/domains/${second}`, { isDefault: true })).json).toMatchObject({
      id: second,
      isDefault: true,
    });
    expect(await defaults()).toEqual([second]);
    expect((await team.admin("POST", `/domains/${second}`, { isDefault: false })).json).toMatchObject({
      code: "invalid_request",
      path: "isDefault",
    });
    expect((await team.admin("DELETE", `/domains/${second}`)).json).toEqual({ success: true });
    expect(await defaults()).toEqual([first]);
    expect(await team.rows("SELECT count(*) AS n FROM dkim_keys")).toEqual([{ n: 2 }]);
  });

  it("is refused with the reason", async () => {
    await create();
    for (const [name, code, status] of [
      ["co.uk", "invalid_domain", 400],
      ["192.0.2.1", "invalid_domain", 400],
      ["localhost", "invalid_domain", 400],
      ["https://acme.example", "invalid_domain", 400],
      ["MAIL.acme.example", "domain_exists", 409],
      ["x".repeat(301), "invalid_request", 400],
      [7, "invalid_request", 400],
    ] as const) {
      const refused = await team.admin("POST", "/domains", { name });
      expect([name, refused.status, refused.json.code, refused.json.path]).toEqual([name, status, code, "name"]);
    }
    expect((await create("co.uk")).json.message).toBe(
      "name: is a public suffix: others register names under it, so that no one sends mail from it.",
    );
    await team.run(
      `INSERT INTO domains (id, name, state, since, is_default, findings, created_at)
       WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 19)
       SELECT 'dom_' || n, 'd' || n || '.example', 'pending', 0, 0, '{}', 0 FROM i`,
    );
    const many = await create("more.example");
    expect([many.status, many.json]).toEqual([
      400,
      expect.objectContaining({ code: "too_many_domains", path: "name" }),
    ]);
  });

  it("needs DKIM_KEY_SECRET, and the refusal says how to set it", async () => {
    const app = appWith({ DKIM_KEY_SECRET: undefined });
    const headers = { Authorization: `Bearer ${bindings.ADMIN_TOKEN}` };
    const { status, json } = await request(
      "POST",
      "/admin/teams/acme/domains",
      { headers, body: { name: "a.example" } },
      app,
    );
    expect([status, json.code]).toEqual([400, "dkim_not_configured"]);
    expect(json.message).toContain("npx wrangler secret put DKIM_KEY_SECRET -c src/email/wrangler.toml");
  });

  it("is 404 for an id that the team does not have, and for a team that does not exist", async () => {
    for (const [method, path] of [
      ["GET", ""],
      ["POST", ""],
      ["DELETE", ""],
      ["POST", "/check"],
      ["GET", "/zone"],
      ["POST", "/rotate"],
    ] as const) {
      const body = method === "POST" && path === "" ? { isDefault: true } : undefined;
      const unknown = await team.admin(method, `/domains/dom_x${path}`, body);
      expect([path, unknown.status, unknown.json.code]).toEqual([path, 404, "domain_not_found"]);
      const nowhere = await request(method, `/admin/teams/nowhere/domains/dom_x${path}`, {
        body,
        headers: { Authorization: `Bearer ${bindings.ADMIN_TOKEN}` },
      });
      expect([path, nowhere.status, nowhere.json.code]).toEqual([path, 404, "not_found"]);
    }
  });
});

describe("the state of a domain", () => {
  it("goes from pending to verified, warning, failing and back, by the alarm", async () => {
    const { id, ...domain } = (await create()).json;
    expect(await later(5 * MINUTE, id)).toMatchObject({
      state: "pending",
      checkedAt: iso(START + 5 * MINUTE),
      nextCheckAt: iso(START + 10 * MINUTE),
      records: [{ status: "missing" }, { status: "missing" }],
    });
    dns.zone = zoneOf(domain);
    const verifiedAt = START + 15 * MINUTE;
    expect(await later(10 * MINUTE, id)).toMatchObject({
      state: "verified",
      since: iso(verifiedAt),
      failingSince: null,
      nextCheckAt: iso(verifiedAt + DAY),
      records: [{ status: "right", message: "The key is right." }, { status: "right" }],
    });
    dns.zone = { [`TXT ${domain.records[0].host}`]: "fails" };
    expect(await later(DAY, id)).toMatchObject({
      state: "verified",
      since: iso(verifiedAt),
      failingSince: null,
      nextCheckAt: iso(verifiedAt + DAY + HOUR),
    });
    dns.zone = {};
    const lostAt = verifiedAt + DAY + HOUR;
    expect(await later(HOUR, id)).toMatchObject({
      state: "warning",
      since: iso(lostAt),
      failingSince: iso(lostAt),
      nextCheckAt: iso(lostAt + HOUR),
    });
    expect(await later(DAY - 1, id)).toMatchObject({ state: "warning", failingSince: iso(lostAt) });
    expect(await later(HOUR, id)).toMatchObject({
      state: "failing",
      since: iso(lostAt + DAY - 1 + HOUR),
      failingSince: iso(lostAt),
    });
    dns.zone = zoneOf(domain);
    expect(await later(HOUR, id)).toMatchObject({ state: "verified", failingSince: null });
    const changes = logged.mock.calls
      .map(([line]) => JSON.parse(String(line)))
      .filter(({ event }) => event === "domain_state");
    expect(changes.map(({ domain: name, from, to }) => [name, from, to].join(" "))).toEqual([
      "mail.acme.example pending verified",
      "mail.acme.example verified warning",
      "mail.acme.example warning failing",
      "mail.acme.example failing verified",
    ]);
  });

  it("is looked for 7 days, less and less often; a check by request begins anew", async () => {
    const { id } = (await create()).json;
    let checks = 0;
    for (let domain = await get(id); domain.nextCheckAt !== null; checks++) {
      domain = await later(Date.parse(domain.nextCheckAt) - Date.now(), id);
      if (domain.nextCheckAt) expect(Date.parse(domain.nextCheckAt) - Date.now()).toBeLessThanOrEqual(6 * HOUR);
    }
    expect(Date.now() - START).toBeGreaterThanOrEqual(7 * DAY);
    expect(Date.now() - START).toBeLessThan(7 * DAY + 7 * HOUR);
    expect(checks).toBeLessThan(50);
    expect(await check(id)).toMatchObject({
      state: "pending",
      since: iso(Date.now()),
      nextCheckAt: iso(Date.now() + 5 * MINUTE),
    });
  });

  it("makes the first verified domain the default when the default never was verified", async () => {
    await create("one.example");
    const { id, ...second } = (await create("two.example")).json;
    dns.zone = zoneOf(second);
    expect(await check(id)).toMatchObject({ state: "verified", isDefault: true });
  });

  it("does not hold up the alarm while the resolver is silent, and is checked again after a crash", async () => {
    const { id } = (await create()).json;
    vi.mocked(globalThis.fetch).mockImplementation(() => new Promise(() => {}));
    advance(5 * MINUTE);
    await runAlarm(team.stub);
    expect(await get(id)).toMatchObject({ checkedAt: null, nextCheckAt: iso(Date.now() + 10 * MINUTE) });
    fakeDns();
    expect(await later(10 * MINUTE, id)).toMatchObject({ records: [{ status: "missing" }, { status: "missing" }] });
  });

  it("is alone in an event, which has a limit of requests; the next alarm checks another", async () => {
    const ids: string[] = [];
    for (const name of ["one.acme.example", "two.acme.example", "three.acme.example"])
      ids.push((await create(name)).json.id);
    advance(5 * MINUTE);
    const hosts = new Set<string>();
    await team.inside((sql) =>
      checkDueDomain({
        sql,
        envelope: undefined,
        now: () => Date.now(),
        transaction: (work) => work(),
        resolve: async ({ host }) => {
          const own = /\b(one|two|three)\b/.exec(host)?.[0];
          if (own) hosts.add(own);
          return { status: "none", via: [] };
        },
      }),
    );
    expect(hosts.size).toBe(1);
    const isChecked = async () => (await Promise.all(ids.map(get))).every(({ checkedAt }) => checkedAt !== null);
    for (let alarms = 0; alarms < 2; alarms++) await runAlarm(team.stub);
    await until(isChecked);
  });

  it("asks at most 30 questions, and is unknown if its records lead to more", async () => {
    const { id, ...domain } = (await create()).json;
    const [dkim] = domain.records;
    dns.zone = zoneOf(domain);
    expect((await check(id)).state).toBe("verified");
    const asked = vi.mocked(globalThis.fetch).mock.calls.length;
    expect(asked).toBeGreaterThan(1);
    expect(asked).toBeLessThanOrEqual(30);
    // Each answer names another name.
    let names = 0;
    vi.mocked(globalThis.fetch).mockImplementation(async (input) => {
      const name = new URL(new Request(input).url).searchParams.get("name") ?? "";
      names += 1;
      return Response.json({ Status: 0, Answer: [{ name, type: 5, data: `n${names}.${dkim.host}.` }] });
    });
    await check(id);
    expect(names).toBeLessThanOrEqual(30 * 9);
  });

  it("survives that the domain is deleted during its check", async () => {
    const { id } = (await create()).json;
    let answer = (_: Response) => {};
    vi.mocked(globalThis.fetch).mockImplementation(() => new Promise((resolve) => (answer = resolve)));
    const checking = team.admin("POST", `/domains/${id}/check`);
    await until(async () => vi.mocked(globalThis.fetch).mock.calls.length > 0);
    fakeDns();
    await team.admin("DELETE", `/domains/${id}`);
    answer(Response.json({ Status: 3 }));
    expect(
      (await Promise.race([checking, new Promise<{ status: number }>((r) => setTimeout(() => r({ status: 0 }), 200))]))
        .status,
    ).not.toBe(500);
    expect(await team.rows("SELECT * FROM domains")).toEqual([]);
  });
});

describe("a rotation of the DKIM key", () => {
  it("signs with the next key when it is found, and keeps the former record 7 days", async () => {
    const { id, ...domain } = (await create()).json;
    dns.zone = zoneOf(domain);
    expect(await check(id)).toMatchObject({ state: "verified" });
    const { status, json: rotating } = await team.admin("POST", `/domains/${id}/rotate`);
    expect(status).toBe(200);
    expect(rotating.keys.map(({ state }: { state: string }) => state)).toEqual(["active", "next"]);
    const [former, next] = rotating.keys.map(({ selector }: { selector: string }) => selector);
    expect(rotating.records[1]).toMatchObject({
      host: `${next}._domainkey.mail.acme.example`,
      required: false,
      status: "unchecked",
    });
    expect((await team.admin("POST", `/domains/${id}/rotate`)).json.keys).toEqual(rotating.keys);
    const signing = () =>
      runInDurableObject(team.stub, (workspace: Workspace) =>
        workspace.signingKey("mail.acme.example", "transactional"),
      );
    expect(await later(5 * MINUTE, id)).toMatchObject({ state: "verified", nextCheckAt: iso(Date.now() + 5 * MINUTE) });
    expect((await signing())?.selector).toBe(former);
    dns.zone = zoneOf(rotating);
    const at = Date.now() + 5 * MINUTE;
    const rotated = await later(5 * MINUTE, id);
    expect(rotated).toMatchObject({
      state: "verified",
      nextCheckAt: iso(at + DAY),
      keys: [
        { selector: next, state: "active" },
        { selector: former, state: "retired", retiredAt: iso(at) },
      ],
    });
    expect(rotated.records[1]).toMatchObject({
      host: `${former}._domainkey.mail.acme.example`,
      required: false,
      status: "right",
    });
    expect(rotated.records[1].purpose).toContain(iso(at + 7 * DAY).slice(0, 10));
    expect((await signing())?.selector).toBe(next);
    expect(await team.rows(`SELECT sealed_key FROM dkim_keys WHERE selector = '${former}'`)).toEqual([
      { sealed_key: null },
    ]);
    advance(7 * DAY);
    await runAlarm(team.stub);
    expect((await get(id)).keys.map(({ selector }: { selector: string }) => selector)).toEqual([next]);
  });
});

describe("the zone file", () => {
  const zone = async (id: string) => team.admin("GET", `/domains/${id}/zone`);

  it("is plain text with every record, and asks to add DMARC only where there is none", async () => {
    const { id, ...domain } = (await create()).json;
    const { headers, text } = await zone(id);
    expect(headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
    const { host, value } = domain.records[0];
    expect(text).toContain(`${host}. 3600 IN TXT "${value.slice(0, 255)}" "${value.slice(255)}"\n`);
    expect(text).toContain('\n; _dmarc.acme.example. 3600 IN TXT "v=DMARC1; p=none;"\n');
    await check(id);
    expect((await zone(id)).text).toContain('\n_dmarc.acme.example. 3600 IN TXT "v=DMARC1; p=none;"\n');
    dns.zone = { "TXT _dmarc.acme.example": ["v=DMARC1; p=reject"] };
    await check(id);
    expect((await zone(id)).text).not.toContain("_dmarc");
  });
});

describe("mail", () => {
  const mail = { email: "ada@example.com", transactionalId: "tpl_welcome", dataVariables: { name: "Ada" } };

  it("is sent from the default domain once it is verified; the inbox takes it before", async () => {
    const sentFrom = async () => {
      await team.post("/transactional", mail);
      return (await team.rows("SELECT message_id FROM sends ORDER BY n DESC LIMIT 1"))[0]?.message_id;
    };
    expect(await sentFrom()).toMatch(/@mailspan\.localhost>$/);
    await arrangeDomain(team, "dom_1");
    expect(await sentFrom()).toMatch(/@mailspan\.localhost>$/);
    await team.run("UPDATE domains SET state = 'warning'");
    expect(await sentFrom()).toMatch(/@mail\.example\.com>$/);
  });

  it("is refused with the address of the records while the domain is not verified and a mail provider would send it", async () => {
    const env = { ...bindings, TRANSACTIONAL_SENDER: "smtp", SMTP_URL: "smtp://127.0.0.1:9?tls=off" };
    const send = (operation: string, input: object) =>
      runInDurableObject(team.stub, async (_, state) => {
        advance(200);
        const workspace = new Workspace(state, env as never);
        return workspace.run({
          origin: "https://mail.test",
          keyHash: await digest(team.key),
          request: { operation, input: { ...input } },
        });
      });
    const address = "https://mail.example.com/admin/teams/acme/domains";
    const [message] = await team.rows("SELECT id FROM email_messages LIMIT 1");
    const preview = { emailMessageId: message?.id, emails: ["ada@example.com"], dataVariables: { name: "Ada" } };
    const refusals = async () => [await send("transactional.send", mail), await send("emailMessages.preview", preview)];
    for (const reply of await refusals()) {
      expect(reply).toMatchObject({
        refusal: {
          code: "domain_not_verified",
          message: `This team has no domain to send from. Its operator adds one with POST ${address}.`,
          detail: { records: address },
        },
      });
    }
    await arrangeDomain(team, "dom_1");
    for (const [state, why] of [
      ["pending", "is not verified yet"],
      ["failing", "has lost DNS records that it needs"],
    ]) {
      await team.run("UPDATE domains SET state = ?", state ?? "");
      for (const reply of await refusals()) {
        expect(reply).toMatchObject({
          refusal: {
            code: "domain_not_verified",
            message: `The sending domain mail.example.com ${why}, so no mail is sent from it. Its records and what to change: GET ${address}/dom_1.`,
            detail: { records: `${address}/dom_1` },
          },
        });
      }
    }
    expect(await team.rows("SELECT * FROM sends")).toEqual([]);
  });

  it("that waits keeps its domain from being deleted", async () => {
    await arrangeDomain(team, "dom_1");
    await team.run("UPDATE domains SET state = 'verified'");
    await team.post("/transactional", mail);
    await handedOver();
    await team.run("UPDATE sends SET state = 'queued', due = 4e12");
    const refused = await team.admin("DELETE", "/domains/dom_1");
    expect([refused.status, refused.json]).toEqual([
      409,
      {
        success: false,
        code: "domain_in_use",
        path: "domainId",
        message:
          "1 mails from mail.example.com wait and could not be signed any more. Delete the domain when they have left: at the latest in 24 hours, and mail of a paused workflow after the workflow is resumed or deleted.",
      },
    ]);
    await team.run("UPDATE sends SET state = 'unknown'");
    expect((await team.admin("DELETE", "/domains/dom_1")).status).toBe(200);
  });
});
