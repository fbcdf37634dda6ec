import { runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import type { Mail } from "../../../../src/email/types/mail-handover.ts";
import { appWith, bindings, isolated, request, START } from "../bench.ts";

isolated();

const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`;
type Changes = Omit<Partial<Mail>, "class">;
const mail = (id: string, changes: Changes = {}): Mail => ({
  id,
  team: "acme",
  class: "transactional",
  messageId: `<${id}@mail.example.com>`,
  date: START,
  from: { address: "hello@mail.example.com" },
  to: [{ address: "ada@example.com" }],
  cc: [],
  bcc: [],
  replyTo: [],
  subject: `Subject of ${id}`,
  html: "<p>Hello</p>",
  text: "Hello",
  attachments: [],
  ...changes,
});
const capture = (captured: Mail) => bindings.INBOX_STORE.getByName("inbox").capture(captured);

describe("the inbox", () => {
  it("lists mail newest first, as a page and as JSON", async () => {
    expect((await request("GET", "/inbox")).text).toContain("No mail yet");
    await capture(mail("snd_a"));
    await capture(mail("snd_b"));
    const { json } = await request("GET", "/inbox.json");
    expect(json).toMatchObject({ total: 2, older: null, mails: [{ id: "snd_b" }, { id: "snd_a" }] });
    const { text, headers } = await request("GET", "/inbox");
    expect(headers.get("Content-Type")).toMatch(/^text\/html/);
    expect(text.indexOf("Subject of snd_b")).toBeLessThan(text.indexOf("Subject of snd_a"));
    for (const part of [
      "ada@example.com",
      "hello@mail.example.com",
      "acme",
      'href="/inbox/snd_a"',
      "2090-01-01 12:00:00 UTC",
    ])
      expect(text).toContain(part);
  });

  it.each(["evil.example", "localhost.evil.example", "127.0.0.1.nip.io", "mailspan.local"])(
    "shows nothing under the name %s: a web page's own domain may point to this machine (DNS rebinding)",
    async (name) => {
      await capture(mail("snd_a"));
      for (const path of ["/inbox", "/inbox.json", "/inbox/snd_a", "/inbox/snd_a.json"]) {
        const { status, text } = await request("GET", `http://${name}:8788${path}`);
        expect([path, status, text]).toEqual([path, 404, expect.stringContaining("localhost or an IP address only")]);
      }
    },
  );

  it.each(["localhost", "LOCALHOST", "mailspan.localhost", "127.0.0.1", "192.168.1.7", "[::1]"])(
    "answers under %s",
    async (name) => {
      await capture(mail("snd_a"));
      for (const path of ["/inbox", "/inbox.json", "/inbox/snd_a"])
        expect((await request("GET", `http://${name}:8788${path}`)).status).toBe(200);
    },
  );

  it("shows headers, text and html of one mail, the html in a sandboxed frame", async () => {
    await capture(
      mail("snd_a", { html: '<p title="x">Hi &amp; bye</p>', text: "Go to https://example.com/a?b=1&c=2 now" }),
    );
    const { text } = await request("GET", "/inbox/snd_a");
    expect(text).toContain("&lt;snd_a@mail.example.com&gt;");
    expect(text).toMatch(
      /<iframe sandbox title="[^"]*" srcdoc="&lt;p title=&quot;x&quot;&gt;Hi &amp;amp; bye&lt;\/p&gt;"><\/iframe>/,
    );
    expect(text).toContain('<a href="https://example.com/a?b=1&amp;c=2" target="_blank" rel="noopener noreferrer">');
    expect((await request("GET", "/inbox/snd_a.json")).json).toMatchObject({ id: "snd_a", text: expect.any(String) });
  });

  it("shows a mail as on a phone and in the dark, and both stay chosen", async () => {
    await capture(mail("snd_a", { html: "<style>@media (prefers-color-scheme: dark) { p { color: red } }</style>" }));
    const plain = await request("GET", "/inbox/snd_a");
    expect(plain.text).toContain("@media (max-width:0)");
    expect(plain.text).toContain('<a href="/inbox/snd_a?phone=1">Phone</a>');
    expect(plain.text).toContain('<a href="/inbox/snd_a" aria-current="true">Light</a>');
    const both = await request("GET", "/inbox/snd_a?phone=1&dark=1");
    expect(both.text).toContain("@media (min-width:0)");
    expect(both.text).toContain('class="phone dark"');
    expect(both.text).toContain('<a href="/inbox/snd_a?phone=1&amp;dark=1" aria-current="true">Phone</a>');
    expect(both.text).toContain('<a href="/inbox/snd_a?phone=1">Light</a>');
  });

  it("has an icon, and links to the dashboard where its address is known", async () => {
    const icon = await request("GET", "/inbox/favicon.svg");
    expect([icon.status, icon.headers.get("Content-Type")]).toEqual([200, "image/svg+xml"]);
    expect((await request("GET", "/inbox")).text).not.toContain(">Dashboard<");
    const known = await appWith({ DASHBOARD_URL: "http://127.0.0.1:8786" }).request("http://localhost/inbox");
    expect(await known.text()).toContain('<a href="http://127.0.0.1:8786">Dashboard</a>');
  });

  it("shows copies, and attachments with name, type and size", async () => {
    await capture(
      mail("snd_a", {
        cc: [{ name: "Bo, B.", address: "bo@example.com" }],
        bcc: [{ address: "audit@example.com" }],
        attachments: [{ filename: "März.pdf", contentType: "application/pdf", content: new Uint8Array(12_345) }],
      }),
    );
    const { text } = await request("GET", "/inbox/snd_a");
    expect(text).toContain('<th scope="row">März.pdf</th><td>application/pdf, 12,345 bytes</td>');
    expect(text).toContain('<th scope="row">Bcc (not in the message)</th><td>audit@example.com</td>');
    expect((await request("GET", "/inbox/snd_a.json")).json).toMatchObject({
      bcc: ["audit@example.com"],
      headers: { Cc: '"Bo, B." <bo@example.com>' },
      attachments: [{ filename: "März.pdf", contentType: "application/pdf", size: 12_345 }],
    });
  });

  it("escapes everything and forbids scripts", async () => {
    const box = { name: hostile, address: hostile };
    const boxes = { from: box, to: [box], cc: [box], bcc: [box], replyTo: [box] };
    const attachments = [{ filename: hostile, contentType: hostile, content: new Uint8Array(3) }];
    const fields = { subject: hostile, team: hostile, html: hostile, text: hostile, messageId: hostile };
    await capture(mail("snd_x", { ...fields, ...boxes, attachments }));
    for (const path of ["/inbox", "/inbox/snd_x"]) {
      const { text, headers } = await request("GET", path);
      expect(text).not.toMatch(/<script|<img|onerror=alert\(1\)>'/);
      expect(text).toContain("&lt;script&gt;");
      const policy = headers.get("Content-Security-Policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/script-src|connect-src|unsafe-eval/);
    }
  });

  it("is never cached, neither page nor JSON", async () => {
    await capture(mail("snd_a"));
    for (const path of ["/inbox", "/inbox.json", "/inbox/snd_a", "/inbox/snd_a.json"]) {
      const { headers } = await request("GET", path);
      expect([path, headers.get("Cache-Control"), headers.get("X-Content-Type-Options")]).toEqual([
        path,
        "no-store",
        "nosniff",
      ]);
    }
  });

  it("captures a mail once", async () => {
    for (let i = 0; i < 3; i++) expect(await capture(mail("snd_a"))).toEqual({ outcome: "accepted" });
    expect((await request("GET", "/inbox.json")).json.total).toBe(1);
  });

  it("refuses a mail too large for a row", async () => {
    expect(await capture(mail("snd_a", { html: "x".repeat(1_500_000) }))).toMatchObject({
      outcome: "refused",
      about: "content",
    });
  });

  it("keeps the newest 1 000, a hundred to a page", async () => {
    await runInDurableObject(bindings.INBOX_STORE.getByName("inbox"), (_, { storage: { sql } }) => {
      for (let i = 1; i <= 1_000; i++) {
        const { id, ...rest } = mail(`snd_${i}`);
        sql.exec("INSERT INTO mails (id, mail, at) VALUES (?, ?, ?)", id, JSON.stringify({ id, ...rest }), START);
      }
    });
    for (let i = 1_001; i <= 1_005; i++) await capture(mail(`snd_${i}`));
    let path: string | null = "/inbox.json";
    const ids: string[] = [];
    while (path !== null) {
      const { json } = await request("GET", path);
      expect(json.mails.length).toBeLessThanOrEqual(100);
      ids.push(...json.mails.map(({ id }: { id: string }) => id));
      path = json.older;
    }
    expect(ids).toHaveLength(1_000);
    expect([ids[0], ids.at(-1)]).toEqual(["snd_1005", "snd_6"]);
    expect((await request("GET", "/inbox/snd_5")).status).toBe(404);
    expect((await request("GET", "/inbox")).text).toContain('href="/inbox?before=906"');
  });

  it.each(["/inbox/none", "/inbox/none.json"])("answers 404 for %s", async (path) => {
    expect(await request("GET", path)).toMatchObject({ status: 404, json: { code: "not_found" } });
  });
});

describe("without INBOX=1", () => {
  beforeEach(async () => {
    await capture(mail("snd_a"));
  });

  it.each([undefined, "", "0", "true"])("(%j) there is no inbox", async (INBOX) => {
    const app = appWith({ INBOX });
    for (const path of ["/inbox", "/inbox.json", "/inbox/snd_a", "/inbox/snd_a.json"]) {
      for (const method of ["GET", "POST"]) expect((await request(method, path, {}, app)).status).toBe(404);
    }
  });
});
