import { describe, expect, it } from "vitest";
import { organizationalDomain, readDomainName } from "../../../../../src/email/mail/dns/name.ts";
import { recordsOf } from "../../../../../src/email/mail/dns/records.ts";
import { joinedText, quotedStrings } from "../../../../../src/email/mail/dns/text.ts";
import { zoneFile } from "../../../../../src/email/mail/dns/zone.ts";

describe("the name of a sending domain", () => {
  it.each([
    ["example.com", "example.com"],
    [" Mail.Example.COM. ", "mail.example.com"],
    ["mail.münchen.de", "mail.xn--mnchen-3ya.de"],
    ["例え.jp", "xn--r8jz45g.jp"],
    ["acme.co.uk", "acme.co.uk"],
    ["acme.github.io", "acme.github.io"],
    ["acme.test", "acme.test"],
  ])("%s is taken as %s", (given, name) => {
    expect(readDomainName(given)).toEqual({ name });
  });

  it.each([
    ["co.uk", "is a public suffix: others register names under it, so that no one sends mail from it"],
    ["github.io", "is a public suffix: others register names under it, so that no one sends mail from it"],
    ["com", "must be the name of a domain, such as mail.example.com"],
    ["localhost", "is a name of a local network, which the world cannot look up"],
    ["mailspan.localhost", "is a name of a local network, which the world cannot look up"],
    ["printer.local", "is a name of a local network, which the world cannot look up"],
    ["192.0.2.1", "is an IP address: mail is sent from a name, such as mail.example.com"],
    ["0x7f.1", "must be the name of a domain, such as mail.example.com"],
    ["２.２.２.２", "is an IP address: mail is sent from a name, such as mail.example.com"],
    ["[2001:db8::1]", "must be a name alone, such as mail.example.com, without https:// and without @"],
    ["https://example.com", "must be a name alone, such as mail.example.com, without https:// and without @"],
    ["ada@example.com", "must be a name alone, such as mail.example.com, without https:// and without @"],
    ["example.com/path", "must be a name alone, such as mail.example.com, without https:// and without @"],
    ["", "must be the name of a domain, such as mail.example.com"],
    ["a..b.com", "must be the name of a domain, such as mail.example.com"],
    ["-a.com", "must be the name of a domain, such as mail.example.com"],
    ["a_b.com", "must be the name of a domain, such as mail.example.com"],
    ["a,b.com", "must be the name of a domain, such as mail.example.com"],
    [`${"a".repeat(64)}.com`, "must be the name of a domain, such as mail.example.com"],
    [`${"a.".repeat(100)}com`, "must have at most 200 characters"],
  ])("%s is refused", (given, problem) => {
    expect(readDomainName(given)).toEqual({ problem });
  });

  it("belongs to the domain that was registered", () => {
    expect(organizationalDomain("a.b.example.co.uk")).toBe("example.co.uk");
    expect(organizationalDomain("acme.github.io")).toBe("acme.github.io");
  });
});

describe("a zone file", () => {
  const publicKey = "A".repeat(392);
  const keys = [
    { selector: "s1", publicKey, state: "active" },
    { selector: "s2", publicKey: "BB", state: "next" },
    { selector: "s0", publicKey: "CC", state: "retired", until: Date.UTC(2026, 0, 8) },
  ] as const;
  const envelope = { mechanisms: ["include:amazonses.com"], mx: ["10 feedback-smtp.eu-west-1.amazonses.com"] };

  it("has every record with an absolute name, and texts in strings of at most 255 octets", () => {
    const records = recordsOf("mail.example.com", keys, envelope).map((record) => ({
      ...record,
      commented: record.kind === "dmarc",
    }));
    expect(zoneFile("mail.example.com", records).split("\n")).toEqual([
      "; DNS records of mail.example.com",
      "",
      "; DKIM: the public key with which receivers check that mail is from this domain.",
      `s1._domainkey.mail.example.com. 3600 IN TXT "v=DKIM1; k=rsa; p=${"A".repeat(237)}" "${"A".repeat(155)}"`,
      "",
      "; DKIM: the next key. It begins to sign when this record is found.",
      's2._domainkey.mail.example.com. 3600 IN TXT "v=DKIM1; k=rsa; p=BB"',
      "",
      "; DKIM: the former key. Keep it until 2026-01-08, because mail that it signed may still be on its way.",
      's0._domainkey.mail.example.com. 3600 IN TXT "v=DKIM1; k=rsa; p=CC"',
      "",
      "; SPF: says which servers may send mail for this domain.",
      'envelope.mail.example.com. 3600 IN TXT "v=spf1 include:amazonses.com ~all"',
      "",
      "; MX: the server that bounces are returned to.",
      "envelope.mail.example.com. 3600 IN MX 10 feedback-smtp.eu-west-1.amazonses.com.",
      "",
      "; DMARC: says what receivers do with mail that only claims to be from this domain. Add it only where there is no DMARC record yet. Large receivers ask for one.",
      '; _dmarc.example.com. 3600 IN TXT "v=DMARC1; p=none;"',
      "",
    ]);
  });

  it("escapes quotes and backslashes, and the strings are joined again", () => {
    const value = `a"b\\c;${"x".repeat(300)}`;
    expect(quotedStrings('a"b\\c')).toBe('"a\\"b\\\\c"');
    expect(joinedText(quotedStrings(value))).toBe(value);
  });

  it.each([
    ['"a" "b"', "ab"],
    ['"a""b"', "ab"],
    ['"a\\059b"', "a;b"],
    ["v=spf1 -all", "v=spf1 -all"],
    ['he said "a"', 'he said "a"'],
    ['""', ""],
    ['"a\\"b"', 'a"b'],
  ])("the text %s of a resolver is %s", (data, value) => {
    expect(joinedText(data)).toBe(value);
  });
});
