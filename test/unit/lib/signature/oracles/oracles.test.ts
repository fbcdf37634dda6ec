import { describe, expect, test } from "vitest";
import manifest from "../../../../../package.json" with { type: "json" };
import { listHandlers } from "../../../../handlers.ts";
import { contextOf, verify } from "../../../signed.ts";
import { flipped, type Signed } from "./oracle.ts";
import { signing } from "./signing.ts";
import { verifying } from "./verifying.ts";

const handlers = await listHandlers();
// The vendors' packages read the system clock.
const NOW = Math.floor(Date.now() / 1000) * 1000;

describe.each([...signing, ...verifying].map((oracle) => [oracle.provider, oracle.package, oracle] as const))(
  "%s and its package %s",
  (provider, _package, { make, accepts, parts }) => {
    const ours = async ({ raw, headers, secret, texts = {}, ...more }: Signed, secrets = [secret]) => {
      const scheme = handlers[provider]?.scheme;
      if (!scheme) throw new Error(`no handler ${provider}`);
      return (await verify(scheme, { raw, headers: new Headers(headers), ...more }, secrets, NOW, contextOf(texts)))
        ?.code;
    };

    test("accept the same valid request", async () => {
      const request = await make(NOW);
      expect(await ours(request)).toBe(undefined);
      if (accepts) expect(await accepts(request, NOW)).toBe(true);
    });

    test("refuse a request with one changed bit", async () => {
      const request = await make(NOW);
      for (const part of Object.values(parts)) {
        for (const nth of [0, 3, 7]) {
          const changed = flipped(request, part, nth);
          expect([changed, await ours(changed)]).toEqual([
            changed,
            expect.stringMatching(/^(invalid|missing)_signature$/),
          ]);
          if (accepts) expect(await accepts(changed, NOW)).toBe(false);
        }
      }
    });

    test("accept the old and the new secret during a rotation, and no other", async () => {
      const request = await make(NOW);
      const other = [...request.secret].reverse().join("");
      expect(await ours(request, [other, request.secret])).toBe(undefined);
      expect(await ours(request, [request.secret, other])).toBe(undefined);
      expect(await ours(request, [other])).toMatch(/^(invalid_signature|source_not_configured|key_unavailable)$/);
    });
  },
);

const OTHERS = [
  "@biomejs/biome",
  "@cloudflare/vitest-plugin",
  "@cloudflare/workers-types",
  "@types/node",
  "typescript",
  "vitest",
  "ajv",
  "axe-core",
  // Runs with the plugin of docs/better-auth.md.
  "better-auth",
  "caniemail",
  "fast-check",
  "fast-png",
  "knip",
  "loops",
  "nodemailer",
  "parse5",
  "playwright-core",
  "postal-mime",
  "smtp-server",
  "@types/smtp-server",
  "@types/papaparse",
  // Only the types of its events are used.
  "@supabase/auth-js",
];

test("every vendor package that is installed is an oracle", () => {
  const asked = new Set([...signing, ...verifying].map((oracle) => oracle.package));
  const installed = Object.keys(manifest.devDependencies).filter((name) => !OTHERS.includes(name));
  expect(installed.toSorted()).toEqual([...asked].toSorted());
});
