import { expect, it } from "vitest";
import type { Env } from "../../../src/email/env.ts";
import { healthOf } from "../../../src/email/http/health.ts";
import { publicUrlOf } from "../../../src/lib/util/public-url.ts";

const env = (PUBLIC_URL?: string) =>
  ({
    ADMIN_TOKEN: "an-admin-token-of-the-tests",
    API_KEY_SECRET: "y",
    ...(PUBLIC_URL === undefined ? {} : { PUBLIC_URL }),
  }) as Env;
const aboutUrl = (PUBLIC_URL?: string) =>
  healthOf(env(PUBLIC_URL)).reasons.filter((reason) => reason.includes("PUBLIC_URL"));

it.each([
  ["https://mail.example.com", "https://mail.example.com"],
  ["https://mail.example.com/", "https://mail.example.com"],
  ["https://MAIL.example.com:8443", "https://mail.example.com:8443"],
  ["http://127.0.0.1:8788", "http://127.0.0.1:8788"],
  ["http://localhost:8788", "http://localhost:8788"],
  ["http://[::1]:8788", "http://[::1]:8788"],
])("PUBLIC_URL %s is the address %s", (given, address) => {
  expect(publicUrlOf(env(given))).toBe(address);
  expect(aboutUrl(given)).toEqual([]);
});

it.each([
  "mail.example.com",
  "http://mail.example.com",
  "http://127.0.0.1.example.com",
  "https://mail.example.com/mail",
  "https://mail.example.com?a=1",
  "https://mail.example.com#a",
  "https://ada:secret@mail.example.com",
  "javascript:alert(1)",
  "data:text/html,x",
])("PUBLIC_URL %s is no address, and GET /health says so", (given) => {
  expect(publicUrlOf(env(given))).toBeUndefined();
  expect(aboutUrl(given)).toEqual([
    "PUBLIC_URL is no address such as https://mail.example.com: icons in mails are shown as words",
  ]);
});

it("without DKIM_KEY_SECRET, GET /health says that a mail provider gets no mail", () => {
  const mailProvider = { TRANSACTIONAL_SENDER: "smtp", SMTP_URL: "smtps://user:password@smtp.example.com" };
  const reasons = (vars: Partial<Env>) =>
    healthOf({ ...env("https://mail.example.com"), ...vars }).reasons.filter((reason) => reason.includes("DKIM"));
  expect(reasons(mailProvider)).toEqual([
    "DKIM_KEY_SECRET is not set: no sending domain can be added, and no mail can be signed",
  ]);
  expect(reasons({ ...mailProvider, DKIM_KEY_SECRET: " , " })).toHaveLength(1);
  expect(reasons({ ...mailProvider, DKIM_KEY_SECRET: "x" })).toEqual([]);
  expect(reasons({ INBOX: "1" })).toEqual([]);
});

it("without PUBLIC_URL, GET /health says what is missing", () => {
  for (const given of [undefined, ""]) {
    expect(publicUrlOf(env(given))).toBeUndefined();
    expect(aboutUrl(given)).toEqual(["PUBLIC_URL is not set: icons in mails are shown as words"]);
  }
});
