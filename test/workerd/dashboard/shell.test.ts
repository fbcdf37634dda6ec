import { describe, expect, it } from "vitest";
import { dashboard, isolated } from "./bench.ts";

isolated();

const nonceIn = (policy: string) => /'nonce-([^']+)'/.exec(policy)?.[1];

describe("the page", () => {
  it("is the same at every path, with a new nonce and no inline code", async () => {
    const { ask } = dashboard();
    const nonces = new Set<string>();
    for (const path of ["/", "/people/ada@example.com", "/webhooks?state=failed"]) {
      const answer = await ask("GET", path, { without: ["Sec-Fetch-Site"] });
      const policy = answer.headers.get("Content-Security-Policy") ?? "";
      const nonce = nonceIn(policy) ?? "";
      expect(await answer.text()).toBe(`<meta property="csp-nonce" nonce="${nonce}">`);
      // As a whole: one directive more or less is another policy.
      expect(policy).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; ` +
          "font-src 'self'; connect-src 'self'; frame-src 'self'; worker-src 'self'; base-uri 'none'; " +
          "form-action 'self'; frame-ancestors 'none'",
      );
      expect(nonce).toMatch(/^[A-Za-z0-9+/]{24}$/);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
      });
      expect(answer.headers.get("Set-Cookie")).toBeNull();
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(3);
  });

  it("has files that a cache keeps for ever, and does not take the place of a missing one", async () => {
    const { ask } = dashboard();
    const file = await ask("GET", "/assets/main-abc.js");
    expect([file.status, file.headers.get("Cache-Control")]).toEqual([200, "public, max-age=31536000, immutable"]);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      "content-type": "text/javascript",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
    });
    expect((await ask("GET", "/assets/main-old.js")).status).toBe(404);
    expect((await ask("GET", "/index.html")).status).toBe(404);
  });

  it.each([
    "/.well-known/security.txt",
    "/.well-known/apple-app-site-association",
    "/llms.txt",
    "/wp/login.php",
    "/.env",
  ])("is not what a program finds at %s", async (path) => {
    const answer = await dashboard().ask("GET", path);
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([404, "application/json"]);
    expect(await answer.json()).toMatchObject({ code: "not_found" });
  });

  it("has the status 404 where there is no such page", async () => {
    const { ask } = dashboard();
    const answer = await ask("GET", "/nowhere");
    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining("csp-nonce")]);
  });

  it("has the parts where npm start started it, and nowhere else", async () => {
    expect((await dashboard({ LOGIN_CODE: "1.code" }).ask("GET", "/kit")).status).toBe(200);
    expect((await dashboard().ask("GET", "/kit")).status).toBe(404);
  });

  it("leads from an address of before to the new one, with its query", async () => {
    const answer = await dashboard().ask("GET", "/mail?to=ada%40example.com");
    expect([answer.status, answer.headers.get("Location")]).toEqual([308, "/sent?to=ada%40example.com"]);
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

const policyOf = (hash: string, remote: string) =>
  `sandbox allow-scripts; default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; ` +
  `img-src ${remote}; font-src ${remote}; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`;

describe("the frame for mails", () => {
  it("has a policy of its own: one script by its hash, no requests but pictures and fonts, no origin", async () => {
    const answer = await dashboard().ask("GET", "/preview");
    const policy = answer.headers.get("Content-Security-Policy") ?? "";
    const [, script = ""] = /<script>([\s\S]*)<\/script>/.exec(await answer.text()) ?? [];
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(script));
    expect(policy).toBe(policyOf(new Uint8Array(digest).toBase64(), "https: data:"));
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    });
  });

  it("asks no other server where pictures are not wanted", async () => {
    const answer = await dashboard().ask("GET", "/preview?images=0");
    const policy = answer.headers.get("Content-Security-Policy") ?? "";
    const [hash = ""] = /(?<='sha256-)[^']+/.exec(policy) ?? [];
    expect(policy).toBe(policyOf(hash, "data:"));
  });
});
