import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gather, judge, verdictOf } from "../../../../../src/email/mail/dns/judge.ts";
import { type ExpectedRecord, type PublishedKey, recordsOf } from "../../../../../src/email/mail/dns/records.ts";
import { createResolver } from "../../../../../src/email/mail/dns/resolver.ts";
import { type Behavior, startResolver, type Zone } from "../../../../dns/stand-in.ts";

const KEY =
  "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAuUpiZCThqHt6hA0/ZNNLHuJHeG2Bm9q9wb3oR1ZtFZrZMOQvj6zY9NjM0Ql0GvZJTQtq3kxqyPqWqb0dxWyA" +
  "4bX2sY0hA1cJ8m5f7K2tPq9rVwLx3eDgUo6zNiBsCjTkHlMvZyQwEaRuSdFpGnXcWbOtYv1I4L7K0J3H6G9F2D5S8A1P4O7I0U3Y6T9R2E5W8Q1Z4X7C0V3B6N9M2" +
  "qwertyuiopasdfghjklzxcvbnmQWERTYUIOPASDFGHJKLZXCVBNM0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ012345678901234567QIDAQAB";
const OTHER = `MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA${[...KEY.slice(44)].reverse().join("")}`;

const DOMAIN = "mail.example.com";
const HOSTS = {
  dkim: `TXT s1._domainkey.${DOMAIN}`,
  envelope: `envelope.${DOMAIN}`,
  spf: `TXT envelope.${DOMAIN}`,
  mx: `MX envelope.${DOMAIN}`,
  dmarc: `TXT _dmarc.${DOMAIN}`,
  root: "TXT _dmarc.example.com",
};
const FEEDBACK = "feedback-smtp.eu-west-1.amazonses.com";
const dkim = `v=DKIM1; k=rsa; p=${KEY}`;
const keys: PublishedKey[] = [{ selector: "s1", publicKey: KEY, state: "active" }];
const envelope = { mechanisms: ["include:amazonses.com"], mx: [`10 ${FEEDBACK}`] };
const expected = recordsOf(DOMAIN, keys, envelope);

const RIGHT: Zone = {
  [HOSTS.dkim]: [dkim],
  [HOSTS.spf]: ["v=spf1 include:amazonses.com ~all"],
  [HOSTS.mx]: [`10 ${FEEDBACK}`],
  [HOSTS.root]: ["v=DMARC1; p=none;"],
  "TXT amazonses.com": ["v=spf1 ip4:199.255.192.0/22 -all"],
  "TXT example.com": ["some-verification=1"],
};
const without = (...hosts: string[]): Zone =>
  Object.fromEntries(Object.entries(RIGHT).filter(([host]) => !hosts.includes(host)));
const chain = (count: number): Zone =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`TXT s${n}.example.net`, [`v=spf1 include:s${n + 1}.example.net -all`]]),
  );
const spf = (record: string, more: Zone = {}): Zone => ({ ...RIGHT, ...more, [HOSTS.spf]: [record] });
const dkimIs = (...values: Zone[string]): Zone => ({ ...RIGHT, [HOSTS.dkim]: values });
const dmarcIs = (...values: string[]): Zone => ({ ...without(HOSTS.root), [HOSTS.dmarc]: values });

type Case = [name: string, zone: Zone, behaviors?: Record<string, Behavior>, kinds?: readonly string[]];
const all = ["dkim", "spf", "mx", "dmarc"];
const of = (kind: string, cases: [string, Zone, Record<string, Behavior>?][]): Case[] =>
  cases.map(([name, zone, behaviors = {}]) => [`${kind}: ${name}`, zone, behaviors, [kind]]);

const CASES: Case[] = [
  ["everything is right", RIGHT],
  ["nothing is there", {}],
  [
    "the DNS provider added the domain to each name",
    {
      [`${HOSTS.dkim}.example.com`]: [dkim],
      [`${HOSTS.spf}.example.com`]: ["v=spf1 include:amazonses.com ~all"],
      [`${HOSTS.mx}.example.com`]: [`10 ${FEEDBACK}`],
    },
  ],
  ["the resolver gives no answer", RIGHT, { "*": { stalls: true } }],
  ["SERVFAIL", RIGHT, { "*": { code: 2 } }],
  ["REFUSED", RIGHT, { [HOSTS.dkim]: { code: 5 } }, ["dkim"]],
  ["a code without words", RIGHT, { [HOSTS.dkim]: { code: 9 } }, ["dkim"]],
  ["the answer is truncated", RIGHT, { "*": { truncated: true } }],
  ["the resolver is down", RIGHT, { [HOSTS.dkim]: { status: 503 } }, ["dkim"]],
  ["the resolver redirects", RIGHT, { [HOSTS.dkim]: { status: 302 } }, ["dkim"]],
  ["the answer is a page", RIGHT, { [HOSTS.dkim]: { body: "<html>" } }, ["dkim"]],
  ["the answer has another form", RIGHT, { [HOSTS.dkim]: { body: '{"Answer":{}}' } }, ["dkim"]],
  ["the answer is huge", RIGHT, { [HOSTS.dkim]: { body: " ".repeat(70_000) } }, ["dkim"]],
  ...of("dkim", [
    [
      "split into strings of other lengths",
      dkimIs([dkim.slice(0, 20), dkim.slice(20, 200), dkim.slice(200, 410), dkim.slice(410)]),
    ],
    ["spaces inside the key", dkimIs([dkim.slice(0, 255), ` ${dkim.slice(255)}`])],
    [
      "capitals and a dot in the answer's names",
      {
        ...without(HOSTS.dkim),
        [`CNAME s1._domainkey.${DOMAIN}`]: ["S1.Keys.Example.NET"],
        "TXT s1.keys.example.net": [dkim],
      },
      { [HOSTS.dkim]: { stopsAtCname: true } },
    ],
    [
      "through a CNAME record",
      {
        ...without(HOSTS.dkim),
        [`CNAME s1._domainkey.${DOMAIN}`]: ["s1.keys.example.net"],
        "TXT s1.keys.example.net": [dkim],
      },
    ],
    [
      "a CNAME record that the resolver does not follow",
      {
        ...without(HOSTS.dkim),
        [`CNAME s1._domainkey.${DOMAIN}`]: ["s1.keys.example.net"],
        "TXT s1.keys.example.net": [dkim],
      },
      { [HOSTS.dkim]: { stopsAtCname: true } },
    ],
    [
      "a CNAME record that leads nowhere",
      { ...without(HOSTS.dkim), [`CNAME s1._domainkey.${DOMAIN}`]: ["s1.keys.example.net"] },
    ],
    [
      "CNAME records in a circle",
      {
        ...without(HOSTS.dkim),
        [`CNAME s1._domainkey.${DOMAIN}`]: ["a.example.net"],
        "CNAME a.example.net": ["b.example.net"],
        "CNAME b.example.net": ["a.example.net"],
      },
    ],
    [
      "the name exists with another type",
      { ...without(HOSTS.dkim), [HOSTS.dkim.replace("TXT", "MX")]: ["10 mx.example.com"] },
    ],
    ["cut off at 255 characters", dkimIs(dkim.slice(0, 255))],
    ["characters after its end", dkimIs(`${dkim}QQ==`)],
    ["another key", dkimIs(`v=DKIM1; k=rsa; p=${OTHER}`)],
    ["one wrong character", dkimIs(dkim.replace("qwerty", "qwertz"))],
    ["a missing piece", dkimIs(dkim.replace("qwertyuiop", ""))],
    ["revoked", dkimIs("v=DKIM1; p=")],
    ["two records", dkimIs(dkim, `v=DKIM1; k=rsa; p=${OTHER}`)],
    ["quotation marks in the value", dkimIs(`"${dkim}"`)],
    ["backslashes in the value", dkimIs(dkim.replaceAll(";", "\\;"))],
    ["no key", dkimIs("google-site-verification=abc")],
    ["another version", dkimIs(dkim.replace("DKIM1", "DKIM2"))],
    ["another kind of key", dkimIs(dkim.replace("k=rsa", "k=ed25519"))],
    ["SHA-1 only", dkimIs(dkim.replace("k=rsa", "k=rsa; h=sha1"))],
    ["not for email", dkimIs(dkim.replace("k=rsa", "k=rsa; s=tlsrpt"))],
    ["for testing", dkimIs(dkim.replace("k=rsa", "k=rsa; t=y"))],
    ["without v= and k=", dkimIs(`p=${KEY}`)],
  ]),
  ...of("spf", [
    [
      "two records",
      { ...RIGHT, [HOSTS.spf]: ["v=spf1 include:amazonses.com ~all", "v=spf1 include:_spf.google.com ~all"] },
    ],
    ["other texts beside it", { ...RIGHT, [HOSTS.spf]: ["some-verification=1", "v=spf1 include:amazonses.com ~all"] }],
    ["other texts only", { ...RIGHT, [HOSTS.spf]: ["some-verification=1"] }],
    ["of another service", spf("v=spf1 include:_spf.google.com -all")],
    ["the include stands after all", spf("v=spf1 ~all include:amazonses.com")],
    ["more than it needs, in another order", spf("v=spf1 ip4:192.0.2.1 INCLUDE:amazonses.com -all")],
    ["without all", spf("v=spf1 include:amazonses.com")],
    ["open to the world", spf("v=spf1 include:amazonses.com +all")],
    ["a misspelled beginning", spf("spf1 include:amazonses.com ~all")],
    ["quotation marks in the value", spf('"v=spf1 include:amazonses.com ~all"')],
    [
      "ten queries",
      spf("v=spf1 include:amazonses.com include:s0.example.net ~all", {
        ...chain(7),
        "TXT s7.example.net": ["v=spf1 a -all"],
      }),
    ],
    [
      "eleven queries",
      spf("v=spf1 include:amazonses.com include:s0.example.net ~all", {
        ...chain(8),
        "TXT s8.example.net": ["v=spf1 mx -all"],
      }),
    ],
    [
      "eleven queries through a and mx",
      spf(`v=spf1 include:amazonses.com ${"a:x.example.net mx:x.example.net ".repeat(5)}~all`),
    ],
    [
      "a redirect to eleven queries",
      spf("v=spf1 include:amazonses.com redirect=s0.example.net", {
        ...chain(9),
        "TXT s9.example.net": ["v=spf1 a a a -all"],
      }),
    ],
    [
      "includes in a circle",
      spf("v=spf1 include:amazonses.com include:a.example.net ~all", {
        "TXT a.example.net": ["v=spf1 include:a.example.net -all"],
      }),
    ],
    ["includes a name without SPF", spf("v=spf1 include:amazonses.com include:a.example.net ~all")],
    [
      "includes a name with two records",
      spf("v=spf1 include:amazonses.com include:a.example.net ~all", {
        "TXT a.example.net": ["v=spf1 -all", "v=spf1 ~all"],
      }),
    ],
    [
      "includes a name that fails",
      spf("v=spf1 include:amazonses.com include:a.example.net ~all"),
      { "TXT a.example.net": { code: 2 } },
    ],
    ["includes a macro", spf("v=spf1 include:amazonses.com include:%{i}.example.net ~all")],
  ]),
  ...of("mx", [
    ["another preference", { ...RIGHT, [HOSTS.mx]: [`5 ${FEEDBACK}`] }],
    ["capitals", { ...RIGHT, [HOSTS.mx]: [`10 ${FEEDBACK.toUpperCase()}`] }],
    ["of another region", { ...RIGHT, [HOSTS.mx]: ["10 feedback-smtp.us-east-1.amazonses.com"] }],
    ["a second one", { ...RIGHT, [HOSTS.mx]: [`10 ${FEEDBACK}`, "20 mx.example.com"] }],
  ]),
  ...of("dmarc", [
    ["at the domain itself", dmarcIs("v=DMARC1; p=reject; adkim=s")],
    ["quarantine, for a part of the mail", dmarcIs("v=DMARC1; p=quarantine; pct=20; rua=mailto:d@example.com")],
    ["strict alignment of SPF", dmarcIs("v=DMARC1; p=none; aspf=s")],
    ["a policy for subdomains", { ...RIGHT, [HOSTS.root]: ["v=DMARC1; p=reject; sp=quarantine"] }],
    ["reject, inherited", { ...RIGHT, [HOSTS.root]: ["v=DMARC1;p=reject"] }],
    ["two records", dmarcIs("v=DMARC1; p=none", "v=DMARC1; p=reject")],
    ["no policy", dmarcIs("v=DMARC1; fo=1")],
    ["no policy, with an address for reports", dmarcIs("v=DMARC1; rua=mailto:d@example.com")],
    ["an unknown policy, with an address for reports", dmarcIs("v=DMARC1; p=monitor; rua=mailto:d@example.com")],
    ["an unknown policy for subdomains", dmarcIs("v=DMARC1; p=reject; sp=monitor")],
    ["an address for reports that is none", dmarcIs("v=DMARC1; rua=d@example.com")],
    ["quarantine, tested", dmarcIs("v=DMARC1; p=quarantine; t=y")],
    ["reject, tested", dmarcIs("v=DMARC1; p=reject; t=y")],
    ["none, tested", dmarcIs("v=DMARC1; p=none; t=y")],
    ["tags that were removed", dmarcIs("v=DMARC1; p=reject; pct=100; rf=afrf; ri=86400")],
    ["subdomains that do not exist", { ...RIGHT, [HOSTS.root]: ["v=DMARC1; p=none; sp=quarantine; np=reject"] }],
    ["its own sp and np", dmarcIs("v=DMARC1; p=none; sp=reject; np=reject")],
    [
      "a public suffix with a policy",
      { ...without(HOSTS.root), "TXT _dmarc.com": ["v=DMARC1; p=reject; sp=none; psd=y"] },
    ],
    ["a public suffix and the domain below it", { ...RIGHT, "TXT _dmarc.com": ["v=DMARC1; p=reject; psd=y"] }],
    ["the shortest name without psd", { ...RIGHT, "TXT _dmarc.com": ["v=DMARC1; p=reject"] }],
    [
      "psd=n ends the walk",
      { [HOSTS.root]: ["v=DMARC1; p=quarantine; psd=n"], "TXT _dmarc.com": ["v=DMARC1; p=reject"] },
    ],
    ["psd=y of its own", dmarcIs("v=DMARC1; p=reject; psd=y")],
    ["two records above", { ...RIGHT, [HOSTS.root]: ["v=DMARC1; p=none", "v=DMARC1; p=reject"] }],
    ["the public suffix fails", RIGHT, { "TXT _dmarc.com": { code: 2 } }],
    ["an unknown policy", dmarcIs("v=DMARC1; p=monitor")],
    ["another text", { ...RIGHT, [HOSTS.root]: ["p=none"] }],
    ["fails", RIGHT, { [HOSTS.root]: { code: 2 } }],
  ]),
];

let dns: Awaited<ReturnType<typeof startResolver>>;
beforeAll(async () => {
  dns = await startResolver();
});
afterAll(() => dns.stop());
/** Ms that a busy machine never needs for one answer. */
const PATIENT = 30_000;
const HASTY = 500;
const resolver = (ms = PATIENT) =>
  createResolver({ url: dns.url, fetch: (request) => fetch(request), timeout: () => AbortSignal.timeout(ms) });

const check = async (records: readonly ExpectedRecord[] = expected, ms = PATIENT) => {
  const findings = judge(records, await gather(records, resolver(ms)));
  return { findings, verdict: verdictOf(records, findings) };
};

describe("the check of DNS records over HTTP", () => {
  it("finds every difference and says it in these words", async () => {
    let text = "";
    for (const [name, zone, behaviors = {}, kinds = all] of CASES) {
      dns.serve(zone, behaviors);
      const stalls = Object.values(behaviors).some((behavior) => "stalls" in behavior);
      const { findings, verdict } = await check(expected, stalls ? HASTY : PATIENT);
      const shown = findings.flatMap(({ status, message }, n) => {
        const kind = expected[n]?.kind ?? "";
        return kinds.includes(kind) ? [`${kind.padEnd(5)} ${status}: ${message}`] : [];
      });
      text += `# ${name} (${verdict})\n${shown.join("\n")}\n\n`;
    }
    expect(new Set(CASES.map(([name]) => name)).size).toBe(CASES.length);
    await expect(text).toMatchFileSnapshot(
      join(import.meta.dirname, "../../../../fixtures/email/domains/findings.txt"),
    );
  });

  it("is right with the records of the zone, and wrong without any required one", async () => {
    dns.serve(RIGHT);
    expect(await check()).toMatchObject({ verdict: "right" });
    for (const host of [HOSTS.dkim, HOSTS.spf, HOSTS.mx]) {
      dns.serve(without(host));
      expect([host, (await check()).verdict]).toEqual([host, "wrong"]);
      dns.serve(RIGHT, { [host]: { code: 2 } });
      expect([host, (await check()).verdict]).toEqual([host, "unknown"]);
    }
    dns.serve(without(HOSTS.root));
    expect(await check()).toMatchObject({ verdict: "right" });
  });

  it("asks a bounded number of questions, each once, whatever the DNS says", async () => {
    const many = Array.from({ length: 40 }, (_, n) => `include:i${n}.example.net`).join(" ");
    const zone: Zone = { [HOSTS.spf]: [`v=spf1 include:amazonses.com ${many}`] };
    for (let n = 0; n < 40; n++)
      zone[`TXT i${n}.example.net`] = [`v=spf1 include:j${n}.example.net include:k${n}.example.net -all`];
    dns.serve(zone);
    dns.asked.length = 0;
    await check();
    expect(dns.asked.length).toBeLessThan(30);
    expect(new Set(dns.asked).size).toBe(dns.asked.length);
  });

  it("shows a bounded part of what others wrote", async () => {
    const long = Array.from({ length: 8 }, () => "x".repeat(250));
    dns.serve({ ...RIGHT, [HOSTS.spf]: Array.from({ length: 30 }, (_, n) => [`${n}`, ...long]) });
    const spfFinding = (await check()).findings[1];
    expect(spfFinding?.found.length).toBe(10);
    expect(Math.max(...(spfFinding?.found ?? []).map(({ length }) => length))).toBe(600);
  });

  it("walks from a deep name to its root in at most eight questions (RFC 9989 section 4.10)", async () => {
    const deep = "a.b.c.d.e.f.g.h.i.j.mail.example.com";
    const records = recordsOf(deep, [], undefined);
    dns.serve({});
    dns.asked.length = 0;
    expect((await check(records)).findings).toMatchObject([{ status: "missing" }]);
    expect(dns.asked.sort()).toEqual(
      [deep, "g.h.i.j.mail.example.com", "h.i.j.mail.example.com", "i.j.mail.example.com", "j.mail.example.com"]
        .concat("mail.example.com", "example.com", "com")
        .map((name) => `TXT _dmarc.${name}`)
        .sort(),
    );
  });

  it("takes the record of the Organizational Domain, not the nearest one", async () => {
    const records = recordsOf("a.mail.example.com", [], undefined);
    const zone = { [HOSTS.dmarc]: ["v=DMARC1; p=reject"], [HOSTS.root]: ["v=DMARC1; p=none"] };
    const messageOf = async (more: Zone) => {
      dns.serve({ ...zone, ...more });
      return (await check(records)).findings[0]?.message;
    };
    expect(await messageOf({})).toMatch(/^The DMARC record of example\.com counts .* policy is none/);
    expect(await messageOf({ [HOSTS.dmarc]: ["v=DMARC1; p=reject; psd=n"] })).toMatch(
      /^The DMARC record of mail\.example\.com counts .* policy is reject/,
    );
    expect(await messageOf({ [HOSTS.root]: ["v=DMARC1; p=none; psd=y"] })).toMatch(
      /^The DMARC record of mail\.example\.com counts .* policy is reject/,
    );
  });

  it("asks above a domain only if it has no record of its own", async () => {
    dns.serve(dmarcIs("v=DMARC1; p=none"));
    dns.asked.length = 0;
    await check();
    expect(dns.asked.filter((asked) => asked.includes("_dmarc"))).toEqual([HOSTS.dmarc]);
  });

  it("never asks over http, but on this machine", async () => {
    let calls = 0;
    for (const url of ["http://dns.example.com/dns-query", "ftp://127.0.0.1/", "no address", ""]) {
      const resolve = createResolver({
        url,
        fetch: async () => {
          calls++;
          return new Response();
        },
        timeout: () => AbortSignal.timeout(500),
      });
      expect(await resolve({ type: "TXT", host: DOMAIN })).toEqual({
        status: "failed",
        reason: "DNS_OVER_HTTPS_URL is no https address",
      });
    }
    expect(calls).toBe(0);
  });
});
