import { runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { DOMAIN_LINK_MS, domainLinkOf } from "../../../../../src/email/mail/links/domain.ts";
import { createToken } from "../../../../../src/email/mail/links/link-token.ts";
import type { Workspace } from "../../../../../src/email/workspace/object.ts";
import { admin, advance, app, appWith, bindings, createTeam, isolated, request, type Team } from "../../bench.ts";
import { arrangeDomain } from "../../examples.ts";
import { fakeDns, zoneOf } from "./dns.ts";

const SITE = "https://mail.example.com";

isolated();

let team: Team;
let other: Team;
let dns: ReturnType<typeof fakeDns>;
let logged: string[];
beforeEach(async () => {
  team = await createTeam({ id: "tenant-7", name: "Hidden & Co" });
  await arrangeDomain(team, "dom_1", "mail.acme.example");
  other = await createTeam({ id: "tenant-8", name: "Other" });
  dns = fakeDns();
  logged = [];
  vi.spyOn(console, "log").mockImplementation((line: unknown) => {
    logged.push(JSON.stringify(line));
  });
});

const share = async () => {
  const { status, json } = await team.admin("POST", "/domains/dom_1/share");
  expect(status).toBe(200);
  return json as { url: string; expiresAt: string };
};
const pathOf = (url: string) => url.slice(SITE.length);
const link = async () => pathOf((await share()).url);
const open = (path: string, on = app) => request("GET", path, {}, on);
const SECRET = bindings.API_KEY_SECRET;

const untouched = () => {
  const reached: string[] = [];
  const getByName = (name: string) => {
    reached.push(name);
    throw new Error("reached");
  };
  return { on: appWith({ WORKSPACE: { getByName } as never }), reached };
};

describe("a link to DNS records", () => {
  it("is made for 7 days, says nothing of what it names, and is stored nowhere", async () => {
    const before = await team.everything();
    const { url, expiresAt } = await share();
    expect(expiresAt).toBe(new Date(Date.now() + DOMAIN_LINK_MS).toISOString());
    expect(DOMAIN_LINK_MS).toBe(7 * 86_400_000);
    expect(url).toMatch(/^https:\/\/mail\.example\.com\/d\/[\w-]{40,200}$/);
    expect(Buffer.from(url.split("/d/")[1] ?? "", "base64url").toString("latin1")).not.toMatch(/tenant|dom_/);
    expect(await team.everything()).toBe(before);
  });

  it("is made only for a domain that the team has", async () => {
    for (const [one, id] of [
      [other, "dom_1"],
      [team, "dom_2"],
    ] as const) {
      const { status, json } = await one.admin("POST", `/domains/${id}/share`);
      expect([status, json.code, json.path]).toEqual([404, "domain_not_found", "domainId"]);
    }
    expect(await admin("POST", "/admin/teams/ghost/domains/dom_1/share")).toMatchObject({ status: 404 });
  });

  it("needs an address and a secret, and the refusal names the missing one", async () => {
    const headers = { Authorization: `Bearer ${bindings.ADMIN_TOKEN}` };
    for (const name of ["PUBLIC_URL", "API_KEY_SECRET"] as const) {
      const on = appWith({ [name]: undefined, FORMER_API_KEY_SECRETS: "former" });
      const { status, json } = await request("POST", "/admin/teams/tenant-7/domains/dom_1/share", { headers }, on);
      expect([status, json.code]).toEqual([400, "links_not_configured"]);
      expect(json.message).toContain(`${name} is not set`);
    }
  });

  it("stays valid after a new secret while the old one is listed", async () => {
    const path = await link();
    const FORMER_API_KEY_SECRETS = bindings.API_KEY_SECRET;
    expect((await open(path, appWith({ API_KEY_SECRET: "new", FORMER_API_KEY_SECRETS }))).status).toBe(200);
    expect((await open(path, appWith({ API_KEY_SECRET: "new" }))).status).toBe(404);
    expect((await open(path, appWith({ API_KEY_SECRET: undefined }))).status).toBe(404);
  });
});

describe("the page of the link", () => {
  it("shows each record as it was last checked, asks no DNS and writes nothing", async () => {
    const path = await link();
    const fresh = (await open(path)).text;
    expect(fresh).toContain("The records have not been checked yet.");
    const shown = (await team.admin("GET", "/domains/dom_1")).json;
    const zone = zoneOf(shown);
    dns.zone = { ...zone, "TXT ms1._domainkey.mail.acme.example": ["v=DKIM1; k=rsa; p=BB"] };
    const { records } = (await team.admin("POST", "/domains/dom_1/check")).json;
    expect(records.map(({ status }: { status: string }) => status)).toEqual(["wrong", "right"]);

    const before = await team.everything();
    const alarm = await runInDurableObject(team.stub, (_: Workspace, { storage }) => storage.getAlarm());
    dns.asked = [];
    const { status, text } = await open(path);
    expect(status).toBe(200);
    expect(text).toContain("<h1>DNS records of mail.acme.example</h1>");
    for (const { type, host, value, purpose, found, message } of records)
      for (const one of [type, host, value, purpose, ...found, message]) expect(text).toContain(one);
    expect(text).toMatch(/TXT <span class="soft">wrong<\/span>/);
    expect(text).toMatch(/TXT <span class="soft">ok, recommended<\/span>/);
    expect(text).toContain("Last checked: 2090-01-01 ");
    await open(`${path}/zone`);
    expect([dns.asked, await team.everything()]).toEqual([[], before]);
    expect(await runInDurableObject(team.stub, (_: Workspace, { storage }) => storage.getAlarm())).toBe(alarm);
  });

  it("has the zone file that the operator gets, as a download", async () => {
    const path = await link();
    expect((await open(path)).text).toContain(`href="${path}/zone"`);
    const { status, text, headers } = await open(`${path}/zone`);
    expect([status, text]).toEqual([200, (await team.admin("GET", "/domains/dom_1/zone")).text]);
    expect(headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
    expect(headers.get("Content-Disposition")).toBe('attachment; filename="mail.acme.example.zone"');
  });

  it("shows what is wanted after a rotation of the key", async () => {
    const path = await link();
    const { json } = await team.admin("POST", "/domains/dom_1/rotate");
    const next = json.keys.find(({ state }: { state: string }) => state === "next").selector;
    const host = `${next}._domainkey.mail.acme.example`;
    expect((await open(path)).text).toContain(host);
    expect((await open(`${path}/zone`)).text).toContain(host);
  });

  it("has nothing of the team but the domain and its records", async () => {
    await team.run(
      `INSERT INTO domains (n, id, name, state, since, is_default, findings, created_at) VALUES (2, 'dom_2', 'second.example', 'pending', 0, 0, '{}', 0)`,
    );
    const path = await link();
    for (const { text, headers } of [await open(path), await open(`${path}/zone`)]) {
      const all = text + JSON.stringify([...headers]);
      expect(all).not.toMatch(/tenant|Hidden|dom_|second\.example|sealed|warm|inbox|default domain/i);
    }
  });

  it("escapes what others have put into the DNS", async () => {
    const evil = `</code><script>alert(1)</script><img src=x onerror='a()'>&`;
    dns.zone = { "TXT ms1._domainkey.mail.acme.example": [evil], "TXT _dmarc.acme.example": [evil] };
    await team.admin("POST", "/domains/dom_1/check");
    const { text } = await open(await link());
    expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(text).not.toMatch(/<script|<img|<\/code><\/code>/);
  });

  it("runs and loads nothing, and is neither kept nor indexed nor passed on", async () => {
    const path = await link();
    const pages = [path, `${path}/zone`, "/d/forged", "/d/forged/zone"];
    advance(DOMAIN_LINK_MS - 1);
    const live = await Promise.all(pages.map((one) => open(one)));
    expect(live.map(({ status }) => status)).toEqual([200, 200, 404, 404]);
    advance(1);
    for (const { headers } of [...live, await open(path)]) {
      expect(headers.get("Content-Security-Policy")).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect(headers.get("Referrer-Policy")).toBe("no-referrer");
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("X-Robots-Tag")).toBe("noindex, nofollow");
      expect(headers.get("Cache-Control")).toBe("no-store");
      expect([headers.get("Set-Cookie"), headers.get("Access-Control-Allow-Origin")]).toEqual([null, null]);
    }
  });

  it("is in English, whatever the browser asks for, because the records are", async () => {
    const headers = { "Accept-Language": "ar" };
    const answer = await request("GET", await link(), { headers });
    expect([answer.headers.get("Content-Language"), answer.text.includes('<html lang="en" dir="ltr">')]).toEqual([
      "en",
      true,
    ]);
  });

  it("takes GET and HEAD only", async () => {
    const path = await link();
    for (const one of [path, `${path}/zone`]) {
      expect((await request("HEAD", one)).status).toBe(200);
      for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
        const { status, headers } = await request(method, one);
        expect([method, status, headers.get("Allow")]).toEqual([method, 405, "GET"]);
      }
    }
  });

  it("answers 500 when the team's object fails, and does not log the link", async () => {
    const path = await link();
    const sharedDomain = () => Promise.reject(new Error("gone"));
    const { status, text } = await open(path, appWith({ WORKSPACE: { getByName: () => ({ sharedDomain }) } as never }));
    expect([status, text.includes("Try again in a minute")]).toEqual([500, true]);
    expect(logged.join("\n")).toContain("records_page_failed");
    expect(logged.join("\n")).not.toContain(path.slice(3, 40));
  });
});

describe("a link that is not valid", () => {
  it("has ended after 7 days: 410, without a look at the team", async () => {
    const path = await link();
    const { on, reached } = untouched();
    advance(DOMAIN_LINK_MS);
    for (const one of [path, `${path}/zone`]) {
      const { status, text } = await open(one, on);
      expect([status, text.includes("<h1>This link has ended</h1>")]).toEqual([410, true]);
    }
    expect(reached).toEqual([]);
  });

  it("is the same page when the domain was deleted, also after its name was added again, and for no team", async () => {
    const path = await link();
    const expires = Date.now() + DOMAIN_LINK_MS;
    const of = async (name: string, domain: string) =>
      open(pathOf(await domainLinkOf(SECRET, SITE, { team: name, domain, expires })));
    await team.admin("DELETE", "/domains/dom_1");
    const deleted = await open(path);
    expect([deleted.status, deleted.text.includes("This link has ended")]).toEqual([410, true]);
    expect(deleted.text).not.toMatch(/tenant|Hidden|acme/);
    await arrangeDomain(team, "dom_9", "mail.acme.example");
    for (const same of [await open(path), await of("tenant-8", "dom_9"), await of("ghost", "dom_9")])
      expect([same.status, same.text]).toEqual([410, deleted.text]);
    expect((await of("tenant-7", "dom_9")).status).toBe(200);
    const tables = await runInDurableObject(bindings.WORKSPACE.getByName("ghost"), (_, { storage }) => [
      ...storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'"),
    ]);
    expect(tables).toEqual([]);
  });

  it("is one with any character changed, cut or added: the same 404, and no object is reached", async () => {
    const path = await link();
    const { on, reached } = untouched();
    const token = path.slice(3);
    const altered = [...token].flatMap((char, at) => [
      token.slice(0, at) + (char === "A" ? "B" : "A") + token.slice(at + 1),
      token.slice(0, at),
    ]);
    const missing = (await open("/d/forged", on)).text;
    for (const one of [...altered.filter((text) => text !== ""), `${token}A`, "%", "%00", "A".repeat(5_000)]) {
      const { status, text } = await open(`/d/${one}`, on);
      expect([one, status, text === missing]).toEqual([one, 404, true]);
    }
    expect((await open(`/d/${altered[0]}/zone`, on)).status).toBe(404);
    expect(reached).toEqual([]);
  });

  it("is one of another secret, or of another kind", async () => {
    const { on, reached } = untouched();
    const target = { team: "tenant-7", domain: "dom_1", expires: Date.now() + 1_000 };
    expect((await open(pathOf(await domainLinkOf("another secret", SITE, target)), on)).status).toBe(404);
    const contact = { team: "tenant-7", send: 1, row: 1, contact: "con_1", address: "" };
    for (const kind of ["unsubscribe", "preferences", "confirm"] as const)
      expect((await open(`/d/${await createToken(SECRET, kind, contact)}`, on)).status).toBe(404);
    const token = (await link()).slice(3);
    for (const path of ["/u", "/p", "/c", "/t/o"]) expect((await open(`${path}/${token}`, on)).status).toBe(404);
    expect(reached).toEqual([]);
  });
});
