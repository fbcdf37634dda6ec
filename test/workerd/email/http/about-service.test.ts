import { describe, expect, it } from "vitest";
import packageJson from "../../../../package.json" with { type: "json" };
import { appWith, bindings, isolated, request } from "../bench.ts";

isolated();

const about = async (changes: Parameters<typeof appWith>[0] = {}) => {
  const headers = { Authorization: `Bearer ${bindings.ADMIN_TOKEN}` };
  const { status, json, text } = await request("GET", "/admin/about", { headers }, appWith(changes));
  expect(status, text).toBe(200);
  return json;
};

describe("GET /admin/about", () => {
  it("shows the version, the local inbox and the domain of a team without one", async () => {
    expect(await about({ PUBLIC_URL: undefined, MAIL_DOMAIN: undefined })).toEqual({
      version: packageJson.version,
      senders: {
        transactional: { sender: "inbox", title: "the local inbox", why: null },
        marketing: { sender: "inbox", title: "the local inbox", why: null },
      },
      mailDomain: "mailspan.localhost",
      inbox: true,
      publicUrl: null,
      uploads: true,
    });
  });

  it("says why no mail of a class is sent", async () => {
    const none = await about({ INBOX: undefined });
    expect(none.senders.transactional).toEqual({ sender: null, title: null, why: "no sender is configured" });
    const SMTP_URL = "smtps://user:very-secret@smtp.example.com";
    const smtp = { TRANSACTIONAL_SENDER: "smtp", MARKETING_SENDER: "smtp", MAIL_DOMAIN: "mail.example.com" };
    const missing = await about({ ...smtp, SMTP_URL: undefined });
    expect(missing.senders.transactional).toMatchObject({ sender: null, why: expect.stringContaining("SMTP_URL") });
    const withoutUrl = await about({ ...smtp, SMTP_URL, PUBLIC_URL: undefined });
    expect(withoutUrl).toMatchObject({
      senders: {
        transactional: { sender: "smtp", title: "SMTP", why: null },
        marketing: { sender: "smtp", why: expect.stringContaining("PUBLIC_URL") },
      },
      mailDomain: "mail.example.com",
    });
    const complete = await about({ ...smtp, SMTP_URL, PUBLIC_URL: "https://mail.example.com/" });
    expect(complete).toMatchObject({
      senders: { marketing: { sender: "smtp", why: null } },
      publicUrl: "https://mail.example.com",
    });
    expect(JSON.stringify(complete)).not.toContain("very-secret");
  });

  it("is for the admin token only", async () => {
    expect((await request("GET", "/admin/about")).json.code).toBe("missing_api_key");
    const wrong = await request("GET", "/admin/about", { headers: { Authorization: "Bearer x" } });
    expect([wrong.status, wrong.json.code]).toEqual([401, "invalid_api_key"]);
  });
});
