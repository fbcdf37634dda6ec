import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import type { Env } from "../../../src/env.ts";
import { VERSION } from "../../../src/lib/version.ts";
import { checkedAnswer } from "../../bridge-answer.ts";

vi.mock("cloudflare:workers", () => ({ DurableObject: class {}, env: {} }));
const { default: app } = await import("../../../src/index.ts");

const KEY = `ms_acme_${"0".repeat(32)}_abc`;

const aboutOf = async (vars: Partial<Env>): Promise<unknown> => {
  const headers = { Authorization: "Bearer an-admin-token-of-the-tests" };
  const answer = await app.request("/admin/about", { headers }, {
    ADMIN_TOKEN: "an-admin-token-of-the-tests",
    ...vars,
  } as Env);
  return checkedAnswer("GET", "/admin/about", answer.status, await answer.json());
};

it("shows the version of package.json", () => {
  const text = readFileSync(join(import.meta.dirname, "../../../package.json"), "utf8");
  expect(VERSION).toBe((JSON.parse(text) as { version: string }).version);
});

it("shows the defaults where nothing is configured, and why the email service cannot be called", async () => {
  expect(await aboutOf({})).toEqual({
    version: VERSION,
    team: null,
    contactProperties: "nested",
    retentionDays: 30,
    maxJournalMb: 5000,
    allowedRecipients: [],
    ignoredRecipients: [],
    templates: {},
    lists: {},
    alertUrl: false,
    service: { kind: "embedded", url: null, problem: expect.stringContaining("EMAIL_API_KEY is not set") },
  });
});

it("shows the configuration without secrets", async () => {
  const about = await aboutOf({
    EMAIL_API_KEY: KEY,
    EMAIL_API_URL: "https://ada:hunter2@api.example.com/v1?token=hunter2",
    CONTACT_PROPERTIES: "flat",
    RETENTION_DAYS: "7",
    MAX_JOURNAL_MB: 100,
    ALLOWED_RECIPIENTS: "@Example.com",
    IGNORED_RECIPIENTS: "Jo@example.com, mycompany.example;@ours.example",
    TEMPLATES: { receipt: "tpl_1" },
    LISTS: { news: "list_1" },
    ALERT_WEBHOOK_URL: "https://alerts.example.com/secret",
    ALERT_WEBHOOK_SECRET: "whsec_aHVudGVyMg==",
  });
  expect(about).toEqual({
    version: VERSION,
    team: "acme",
    contactProperties: "flat",
    retentionDays: 7,
    maxJournalMb: 100,
    allowedRecipients: ["@example.com"],
    ignoredRecipients: ["jo@example.com", "@mycompany.example", "@ours.example"],
    templates: { receipt: "tpl_1" },
    lists: { news: "list_1" },
    alertUrl: true,
    service: { kind: "other", url: "https://api.example.com/v1", problem: null },
  });
  expect(JSON.stringify(about)).not.toMatch(/hunter2|aHVudGVyMg|secret/);
});

it("names an address that is not safe without the password in it", async () => {
  const about = await aboutOf({ EMAIL_API_KEY: KEY, EMAIL_API_URL: "http://ada:hunter2@api.example.com" });
  expect(about).toMatchObject({ service: { problem: expect.stringContaining("http://api.example.com") } });
  expect(JSON.stringify(about)).not.toContain("hunter2");
});

it("is false for an alert address whose notices cannot be signed", async () => {
  expect(await aboutOf({ ALERT_WEBHOOK_URL: "https://alerts.example.com" })).toMatchObject({ alertUrl: false });
});
