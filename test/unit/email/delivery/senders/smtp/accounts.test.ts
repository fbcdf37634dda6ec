import { describe, expect, it } from "vitest";
import { readAccounts } from "../../../../../../src/email/delivery/senders/smtp/accounts.ts";

const read = (value: unknown) => readAccounts(typeof value === "string" ? value : JSON.stringify(value));
const usual = { maxConnections: 5, maxMails: 100 };

describe("SMTP_URL", () => {
  it.each([
    ["smtps://user:pass@smtp.example.com:465", { host: "smtp.example.com", port: 465, tls: "on" }],
    ["smtps://user:pass@smtp.example.com", { port: 465, tls: "on" }],
    ["smtp://user:pass@smtp.example.com", { port: 587, tls: "starttls" }],
    ["smtp://user:pass@SMTP.Example.com:2525/", { host: "smtp.example.com", port: 2525, tls: "starttls" }],
    ["smtp://127.0.0.1:2525?tls=off", { port: 2525, tls: "off" }],
    ["smtp://localhost:25?tls=off", { port: 25, tls: "off" }],
    ["smtp://[::1]:2525?tls=off", { host: "::1", tls: "off" }],
    ["  smtps://user:pass@smtp.example.com\n", { host: "smtp.example.com" }],
  ])("%j", (value, expected) => {
    expect(read(value)).toMatchObject({ accounts: [{ ...usual, ...expected }] });
  });

  it("may have any user and password, percent-encoded", () => {
    const login = { user: "me@example.com", password: "p:/?#@ä %" };
    const url = `smtps://${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@smtp.example.com`;
    expect(read(url)).toMatchObject({ accounts: [{ login }] });
    expect(read("smtps://smtp.example.com")).toEqual({
      accounts: [{ name: "smtp.example.com:465", host: "smtp.example.com", port: 465, tls: "on", ...usual }],
    });
  });

  it("may be a list of URLs and of objects", () => {
    const list = [
      "smtps://a:b@one.example.com",
      {
        url: "smtp://c:d@two.example.com",
        name: "bulk",
        classes: ["marketing"],
        domains: ["News.Example.com"],
        maxConnections: 2,
        maxMails: 10,
        perSecond: 14.5,
      },
    ];
    expect(read(list)).toMatchObject({
      accounts: [
        { name: "one.example.com:465", ...usual },
        {
          name: "bulk",
          host: "two.example.com",
          classes: ["marketing"],
          domains: ["news.example.com"],
          maxConnections: 2,
          maxMails: 10,
          perSecond: 14.5,
        },
      ],
    });
  });

  const FORM =
    "write smtps://user:password@host:465 or smtp://user:password@host:587, user and password percent-encoded";
  it.each([
    ["", `SMTP_URL is not a URL: ${FORM}`],
    ["smtp.example.com", `SMTP_URL is not a URL: ${FORM}`],
    ["https://user:geheim@smtp.example.com", `SMTP_URL is not a URL of SMTP: ${FORM}`],
    ["smtps://user:geheim/2@smtp.example.com", `SMTP_URL is not a URL: ${FORM}`],
    ["smtps://user:geheim#2@smtp.example.com", `SMTP_URL is not a URL: ${FORM}`],
    ["smtps://a/geheim@b", "SMTP_URL has something after the port: if the password has /, ? or #, percent-encode it"],
    ["smtps://user@smtp.example.com", `SMTP_URL has only one of user and password: ${FORM}`],
    ["smtps://:geheim@smtp.example.com", `SMTP_URL has only one of user and password: ${FORM}`],
    [
      "smtps://user:geheim%E4@h",
      "SMTP_URL has a user or a password that is not percent-encoded UTF-8, or that has a NUL",
    ],
    [
      "smtps://user:geheim%00@h",
      "SMTP_URL has a user or a password that is not percent-encoded UTF-8, or that has a NUL",
    ],
    ["smtp://user:geheim@h:25", "SMTP_URL has port 25, which Cloudflare blocks: use 465 (smtps://) or 587 (smtp://)"],
    ["smtp://user:geheim@h:465", "SMTP_URL has port 465, which expects TLS at once: write smtps://"],
    ["smtps://user:geheim@h:587", "SMTP_URL has port 587, which begins without TLS: write smtp://"],
    ["smtp://user:geheim@h?tls=off", "SMTP_URL has tls=off: that is for smtp:// to 127.0.0.1, ::1 or localhost only"],
    [
      "smtp://user:geheim@127.0.0.1.evil.com?tls=off",
      "SMTP_URL has tls=off: that is for smtp:// to 127.0.0.1, ::1 or localhost only",
    ],
    ["smtps://127.0.0.1?tls=off", "SMTP_URL has tls=off: that is for smtp:// to 127.0.0.1, ::1 or localhost only"],
    ["smtps://h?tls=no", "SMTP_URL has a parameter other than tls=off"],
    ["smtps://h?geheim=1", "SMTP_URL has a parameter other than tls=off"],
    ["[geheim", "SMTP_URL begins with [ and is not JSON: write a list of URLs or objects"],
    [[], "SMTP_URL is an empty list: write at least one URL"],
    [["smtps://h", "geheim"], `SMTP_URL[1] is not a URL: ${FORM}`],
    [[7], "SMTP_URL[0]: Invalid input: expected object, received number"],
    [[{ url: "smtps://h", password: "geheim" }], 'SMTP_URL[0]: Unrecognized key: "password"'],
    [[{ url: "smtps://h", maxConnections: 7 }], "SMTP_URL[0].maxConnections: Too big: expected number to be <=6"],
    [[{ url: "smtps://h", perSecond: 0 }], "SMTP_URL[0].perSecond: Too small: expected number to be >0"],
    [
      [{ url: "smtps://h", classes: ["news"] }],
      'SMTP_URL[0].classes.0: Invalid option: expected one of "transactional"|"marketing"',
    ],
  ])("%j is refused with the fix, without the password", (value, problem) => {
    expect(read(value)).toEqual({ problem });
    expect(problem).not.toContain("geheim");
  });
});
