import { describe, expect, it } from "vitest";
import { dashboard, isolated } from "./bench.ts";

isolated();

const nonceIn = (policy: string) => /'nonce-([^']+)'/.exec(policy)?.[1];

describe("the page", () => {
  it("is the same at every path, with a new nonce and no inline code", async () => {
    const { ask } = dashboard();
    const nonces = new Set<string>();
    for (const path of ["/", "/people/ada@example.com", "/webhooks?state=dead"]) {
      const answer = await ask("GET", path, { without: ["Sec-Fetch-Site"] });
      const policy = answer.headers.get("Content-Security-Policy") ?? "";
      const nonce = nonceIn(policy) ?? "";
      expect(await answer.text()).toBe(`<meta property="csp-nonce" nonce="${nonce}">`);
      expect(policy).not.toContain("unsafe");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
      });
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(3);
  });

  it("has files that a cache keeps for ever, and does not take the place of a missing one", async () => {
    const { ask } = dashboard();
    const file = await ask("GET", "/assets/main-abc.js");
    expect([file.status, file.headers.get("Cache-Control")]).toEqual([200, "public, max-age=31536000, immutable"]);
    expect((await ask("GET", "/assets/main-old.js")).status).toBe(404);
    expect((await ask("GET", "/index.html")).status).toBe(404);
  });

  it("says how to build it while it is not built", async () => {
    const { ask } = dashboard({ ASSETS: { fetch: async () => new Response("", { status: 404 }) } });
    const answer = await ask("GET", "/");
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining("npm run build:dashboard")]);
  });

  it("answers nothing to other methods", async () => {
    expect((await dashboard().ask("POST", "/people", { body: {} })).status).toBe(404);
  });
});

describe("the frame for mails", () => {
  it("has a policy of its own: one script by its hash, no requests but pictures and fonts, no origin", async () => {
    const answer = await dashboard().ask("GET", "/preview");
    const policy = answer.headers.get("Content-Security-Policy") ?? "";
    const [, script = ""] = /<script>([\s\S]*)<\/script>/.exec(await answer.text()) ?? [];
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(script));
    expect(policy).toContain(`script-src 'sha256-${new Uint8Array(digest).toBase64()}';`);
    expect(policy).toMatch(/^sandbox allow-scripts; default-src 'none';/);
    expect(policy).toContain("form-action 'none'");
    expect(policy).not.toContain("allow-same-origin");
    expect(policy).toContain("img-src https: data:;");
  });

  it("asks no other server where pictures are not wanted", async () => {
    const answer = await dashboard().ask("GET", "/preview?images=0");
    const policy = answer.headers.get("Content-Security-Policy") ?? "";
    expect(policy).toContain("img-src data:; font-src data:;");
    expect(policy).not.toMatch(/https?:/);
  });
});
