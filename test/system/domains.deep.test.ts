import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adminOf } from "../../scripts/domains/api.ts";
import { run } from "../../scripts/domains/run.ts";
import { DOMAINS } from "../../scripts/domains/usage.ts";
import { parse } from "../../scripts/lib/command.ts";
import { startWorkers, type Workers } from "../../scripts/workers.ts";
import { isValidDkim, tagsOf } from "../dkim.ts";
import { startResolver } from "../dns/stand-in.ts";
import { until } from "./mailspan.ts";

const ADMIN_TOKEN = "test-admin-token-of-the-test";
type Shown = {
  id: string;
  state: string;
  keys: { selector: string; state: string }[];
  records: { kind: string; type: string; host: string; value: string; status: string; message: string }[];
};

let dns: Awaited<ReturnType<typeof startResolver>>;
let workers: Workers;
let state: string;
const arrived: { from: string; to: string[]; ehlo: string; raw: Buffer }[] = [];
const server = new SMTPServer({
  logger: false,
  disabledCommands: ["AUTH", "STARTTLS"],
  onData: (stream, session, callback) => {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      const { mailFrom, rcptTo } = session.envelope;
      const from = mailFrom ? mailFrom.address : "";
      arrived.push({
        from,
        to: rcptTo.map(({ address }) => address),
        ehlo: session.hostNameAppearsAs,
        raw: Buffer.concat(chunks),
      });
      callback();
    });
  },
});
const emailVars = () => ({
  ADMIN_TOKEN,
  API_KEY_SECRET: "test-key-secret",
  PUBLIC_URL: "https://mail.example.com",
  TRANSACTIONAL_SENDER: "smtp",
  DKIM_KEY_SECRET: "first secret",
  DNS_OVER_HTTPS_URL: dns.url,
  SMTP_URL: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}?tls=off`,
  SPF_INCLUDE: "_spf.relay.example",
  BOUNCE_MX: "mx.acme.example",
});

beforeAll(async () => {
  dns = await startResolver();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  state = await mkdtemp(join(tmpdir(), "mailspan-domains-"));
  workers = await startWorkers({ port: 0, emailPort: 0, state, bridgeVars: {}, emailVars: emailVars() });
  await admin("POST", "/admin/teams", { id: "acme", name: "Acme", samples: true });
  key = (await admin<{ key: string }>("POST", "/admin/teams/acme/keys", { name: "test" })).key;
});
afterAll(async () => {
  await workers.stop();
  await dns.stop();
  await new Promise<void>((resolve) => server.close(resolve));
  await rm(state, { recursive: true, force: true });
});

let key = "";
const ask = async (bearer: string, method: string, path: string, body?: object) => {
  const response = await fetch(workers.emailUrl + path, {
    method,
    headers: { Authorization: `Bearer ${bearer}`, ...(body ? { "Content-Type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  return { status: response.status, text, json: text.startsWith("{") ? JSON.parse(text) : undefined };
};
const admin = async <T>(method: string, path: string, body?: object) =>
  (await ask(ADMIN_TOKEN, method, path, body)).json as T;
const domains = "/admin/teams/acme/domains";
const send = (name: string) =>
  ask(key, "POST", "/v1/transactional", {
    email: `${name}@example.com`,
    transactionalId: "tpl_welcome",
    dataVariables: { name },
  });
const mailTo = (name: string) =>
  until(`the mail to ${name}`, async () => arrived.find(({ to }) => to.includes(`${name}@example.com`)));

const readZone = (text: string): Record<string, string[][]> =>
  Object.fromEntries(
    text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith(";"))
      .map((line) => {
        const [, host = "", type = "", data = ""] = /^(\S+)\. \d+ IN (TXT|MX) (.*)$/.exec(line) ?? [];
        const strings =
          type === "MX" ? [data.replace(/\.$/, "")] : [...data.matchAll(/"([^"]*)"/g)].map(([, one]) => one ?? "");
        return [`${type} ${host}`, [strings]];
      }),
  );
const publish = async (id: string) => {
  const { text } = await ask(ADMIN_TOKEN, "GET", `${domains}/${id}/zone`);
  const zone = readZone(text);
  const mx = Object.entries(zone).map(([at, values]) => [at, at.startsWith("MX") ? values.flat() : values]);
  dns.serve({ ...Object.fromEntries(mx), "TXT _spf.relay.example": ["v=spf1 ip4:192.0.2.0/24 -all"] });
  return zone;
};
const keyIn = (zone: Record<string, string[][]>, selector: string) =>
  /p=(.*)$/.exec((zone[`TXT ${selector}._domainkey.mail.acme.example`]?.[0] ?? []).join(""))?.[1] ?? "";

describe("a sending domain", () => {
  let id = "";

  it("is needed for a send", async () => {
    const { status, json } = await send("early");
    expect([status, json.code, json.records]).toEqual([
      400,
      "domain_not_verified",
      `https://mail.example.com${domains}`,
    ]);
    const created = await admin<Shown>("POST", domains, { name: "mail.acme.example" });
    id = created.id;
    expect(created.records.map(({ kind, value }) => [kind, value.slice(0, 60)])).toEqual([
      ["dkim", expect.stringContaining("v=DKIM1; k=rsa; p=MII")],
      ["spf", "v=spf1 include:_spf.relay.example ~all"],
      ["mx", "10 mx.acme.example"],
      ["dmarc", "v=DMARC1; p=none;"],
    ]);
    const checked = await admin<Shown>("POST", `${domains}/${id}/check`);
    expect([checked.state, checked.records.map(({ status: found }) => found)]).toEqual([
      "pending",
      ["missing", "missing", "missing", "missing"],
    ]);
    const pending = await send("early");
    expect([pending.status, pending.json.records]).toEqual([400, `https://mail.example.com${domains}/${id}`]);
  });

  it("signs mail as soon as the records of its zone file are published", async () => {
    const zone = await publish(id);
    const checked = await admin<Shown>("POST", `${domains}/${id}/check`);
    expect([checked.state, checked.records.map(({ status }) => status)]).toEqual([
      "verified",
      ["right", "right", "right", "right"],
    ]);
    const { status, json } = await send("ada");
    expect(status).toBe(200);
    const { from, ehlo, raw } = await mailTo("ada");
    expect(ehlo).toBe("envelope.mail.acme.example");
    const [, n = ""] = /^snd_([0-9a-z]+)_/.exec(json.id) ?? [];
    expect(from).toMatch(new RegExp(`^bounce\\+[a-z0-9-]+_${n}_[a-z2-7]{12}@envelope\\.mail\\.acme\\.example$`));
    const message = raw.toString("latin1");
    const [{ selector = "" } = {}] = checked.keys;
    expect(tagsOf(message)).toMatchObject({ d: "mail.acme.example", s: selector, a: "rsa-sha256" });
    expect(isValidDkim(message, keyIn(zone, selector))).toBe(true);
    expect(isValidDkim(message.replace("Subject:", "Subject: x"), keyIn(zone, selector))).toBe(false);
    const parsed = await PostalMime.parse(raw);
    expect(parsed.from?.address).toMatch(/@mail\.acme\.example$/);
    expect(parsed.messageId).toBe(`<${json.id}@mail.acme.example>`);
  });

  it("has its key rotated without a gap", async () => {
    const rotating = await admin<Shown>("POST", `${domains}/${id}/rotate`);
    const [former, next] = rotating.keys.map(({ selector }) => selector);
    await admin("POST", `${domains}/${id}/check`);
    await send("bo");
    expect(tagsOf((await mailTo("bo")).raw.toString("latin1")).s).toBe(former);
    const zone = await publish(id);
    const rotated = await admin<Shown>("POST", `${domains}/${id}/check`);
    expect(rotated.keys.map(({ selector, state: now }) => [selector, now])).toEqual([
      [next, "active"],
      [former, "retired"],
    ]);
    // A Mailer caches a key for five minutes, and a new one asks. The secret changes too.
    await workers.restart({ emailVars: { ...emailVars(), DKIM_KEY_SECRET: "second secret, first secret" } });
    await send("cy");
    const message = (await mailTo("cy")).raw.toString("latin1");
    expect(tagsOf(message).s).toBe(next);
    expect(isValidDkim(message, keyIn(zone, next ?? ""))).toBe(true);
    const before = (await mailTo("bo")).raw.toString("latin1");
    expect(isValidDkim(before, keyIn(zone, former ?? ""))).toBe(true);
  });

  it("never lets mail leave unsigned: it waits until the secret is right again", async () => {
    await workers.restart({ emailVars: { ...emailVars(), DKIM_KEY_SECRET: "another secret" } });
    expect((await send("di")).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(arrived.some(({ to }) => to.includes("di@example.com"))).toBe(false);
    await workers.restart({ emailVars: emailVars() });
    expect((await mailTo("di")).raw.toString("latin1")).toMatch(/^DKIM-Signature:/);
  });
});

describe("npm run domains", () => {
  const command = async (args: string[], wait?: string, sleep = async () => {}) => {
    const printed: string[] = [];
    const options = ["--url", workers.emailUrl, "--team", "globex", ...(wait === undefined ? [] : ["--wait", wait])];
    const line = parse(DOMAINS, [...args, ...options]);
    const world = { admin: adminOf(line.values, { ADMIN_TOKEN }), print: (text: string) => printed.push(text), sleep };
    const ok = await run(line, world);
    return { ok, text: printed.join("\n") };
  };
  const name = "mail.globex.example";

  beforeAll(() => admin("POST", "/admin/teams", { id: "globex", name: "Globex" }));

  it("adds a domain, shows its records, waits for them and removes it", async () => {
    expect((await command([])).text).toContain("This team has no domain.");
    const added = await command(["add", name]);
    expect(added.text).toMatch(
      /^mail\.globex\.example: pending \(default\)\nWarm-up, day 1: 0 of 500 mails today\..*\n\n✗ TXT ms\w+\._domainkey\.mail\.globex\.example\n {2}v=DKIM1/,
    );
    expect(added.text).toContain("· TXT _dmarc.globex.example (recommended)");
    dns.serve({});
    const missing = await command(["check", name]);
    expect([missing.ok, missing.text]).toEqual([false, expect.stringContaining("There is no TXT record at ms")]);
    const [link = "", , words] = (await command(["share", name])).text.split("\n");
    expect(words).toMatch(/^Everyone who has this link can see these DNS records and nothing else, until \d{4}-.*Z\.$/);
    const page = await fetch(workers.emailUrl + new URL(link).pathname);
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining("DNS records of mail.globex.example"),
    ]);
    const zone = readZone((await command(["zone", name])).text);
    let pauses = 0;
    const waited = await command(["add", name], "10", async () => {
      pauses += 1;
      if (pauses < 3) return;
      const mx = Object.entries(zone).map(([at, values]) => [at, at.startsWith("MX") ? values.flat() : values]);
      dns.serve({ ...Object.fromEntries(mx), "TXT _spf.relay.example": ["v=spf1 -all"] });
    });
    expect([waited.ok, pauses]).toEqual([true, 3]);
    expect(waited.text).toMatch(/mail\.globex\.example: verified \(default\)\nWarm-up, .*\n\n✓ TXT/);
    expect((await command(["rotate", name.toUpperCase()])).text).toContain("DKIM: the next key.");
    expect((await command(["add", "two.example"])).text).toContain("two.example: pending\n");
    expect((await command(["default", "two.example"])).text).toContain("two.example: pending (default)\n");
    expect((await command(["list"])).text).toMatch(
      /^mail\.globex\.example: verified\nWarm-up, [\s\S]*\n\ntwo\.example: pending \(default\)\n/,
    );
    expect((await command(["remove", name])).text).toContain("mail.globex.example is deleted.");
    expect((await command([])).text).not.toContain("mail.globex.example");
  });

  it("gives up waiting, and says what to correct in a command", async () => {
    dns.serve({});
    let pauses = 0;
    const late = await command(["check", "two.example"], "1", async () => {
      pauses += 1;
    });
    expect([late.ok, pauses]).toEqual([false, 4]);
    await expect(command(["remov", name])).rejects.toThrow("Unknown command 'remov'\nDid you mean remove?");
    await expect(command(["check"])).rejects.toThrow("Missing required argument 'domain'");
    await expect(command(["check", "x.example"])).rejects.toThrow(
      "The team has no domain x.example. Add it: npm run domains -- add x.example",
    );
    await expect(command(["add", "co.uk"])).rejects.toThrow("name: is a public suffix");
    await expect(command(["add", name], "0")).rejects.toThrow("--wait 0: expected a whole number from 1 to 1440.");
    await expect(adminOf({ team: "globex" }, {})("GET", "/domains")).rejects.toThrow("No token: set ADMIN_TOKEN");
    const nowhere = adminOf({ team: "globex", url: "http://127.0.0.1:9" }, { ADMIN_TOKEN });
    await expect(nowhere("GET", "/domains")).rejects.toThrow("Nothing answers at http://127.0.0.1:9");
  });
});
