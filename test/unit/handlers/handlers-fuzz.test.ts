import { generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import type { Env } from "../../../src/env.ts";
import type { Scheme } from "../../../src/lib/signature/scheme.ts";
import { decodeWebhooks, type EncodedWebhooks, encodeResult } from "../../../src/outbox/intake/rpc-text.ts";
import type { PlannedWebhook } from "../../../src/outbox/model/journal-types.ts";
import { doorOf, routesOf } from "../../../src/routes/hooks.ts";
import type { Source } from "../../../src/sources.ts";
import { listHandlers } from "../../handlers.ts";
import { setUp, vectors } from "../../vectors.ts";

// Set by `npm run fuzz:handlers -- --runs 100000`.
const RUNS = Number(process.env.HANDLER_FUZZ_RUNS || 1_500);
const SEED = process.env.HANDLER_FUZZ_SEED ? { seed: Number(process.env.HANDLER_FUZZ_SEED) } : {};

const handlers = await listHandlers();
const names = Object.keys(handlers);
const sources: Record<string, Source> = {};
for (const [name, handler] of Object.entries(handlers)) sources[name] = { handler, secret: "SECRET" };

const EC = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .publicKey.export({ type: "spki", format: "der" })
  .toString("base64");

const foreign = (provider: string): string => {
  if (provider === "discord") return "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
  if (provider === "aws-sns") return "arn:aws:sns:eu-central-1:999999999999:other";
  if (provider === "kinde") return "https://other.kinde.com";
  if (provider === "braintree") return "integration_public_key:another_private_key";
  if (provider === "sendgrid") return EC;
  return "whsec_Zm9yZWlnbi1zZWNyZXQtdGhhdC1ub2JvZHkta25vd3M=";
};

const coversBody = (scheme: Scheme): boolean => {
  if ("of" in scheme) return scheme.of.every(coversBody);
  if (scheme.kind === "jwt") return scheme.bodyHash !== undefined;
  if (scheme.kind !== "hmac" && scheme.kind !== "public key") return false;
  return scheme.content.every((content) => content.includes("{body}"));
};
const everyHeader = (part: unknown): string[] => {
  if (typeof part !== "object" || part === null) return [];
  const own = "header" in part && typeof part.header === "string" ? [part.header] : [];
  return [...own, ...Object.values(part).flatMap(everyHeader)];
};

const ascii = (maxLength: number) =>
  fc.string({ maxLength, unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) });

const edit = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), cut: fc.nat(3), put: ascii(3) });
const edited = (text: string, { at, cut, put }: { at: number; cut: number; put: string }) => {
  const from = Math.floor(at * text.length);
  return text.slice(0, from) + put + text.slice(from + cut);
};

const body = fc.oneof(
  fc.json(),
  ascii(200),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.webQueryParameters(),
  fc.constantFrom("", "null", "[]", "{}", "[null]", '{"type":"url_verification","challenge":"x"}', '{"type":1}'),
  fc.constantFrom('{"signature":null}', '{"data":{"events":[1]}}', '{"data":{"jwt":"a.b.c"}}', "e30.e30.e30"),
);

const request = fc.record({
  vector: fc.integer({ min: 0, max: vectors.length - 1 }),
  source: fc.option(fc.constantFrom(...names)),
  own: fc.boolean(),
  method: fc.oneof({ weight: 12, arbitrary: fc.constant("POST") }, fc.constantFrom("GET", "PUT", "HEAD", "DELETE")),
  raw: fc.oneof(fc.record({ edit }), fc.record({ body }), fc.constant({})),
  headers: fc.array(fc.record({ which: fc.nat(9), edit, value: fc.option(ascii(80)) }), { maxLength: 3 }),
  token: fc.option(ascii(12), { freq: 8 }),
  query: fc.option(fc.webQueryParameters(), { freq: 8 }),
});

/** Every valid vector unchanged: without accepted requests the test would prove little. */
const unchanged = vectors.flatMap(({ valid }, vector) =>
  valid
    ? [[{ vector, source: null, own: true, method: "POST", raw: {}, headers: [], token: null, query: null }] as const]
    : [],
) as never;

test(`${RUNS} random and changed requests: no exception, no answer 500, none accepted without a valid signature`, async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(request, async (given) => {
      const vector = vectors[given.vector];
      if (!vector) throw new Error("no vector");
      const provider = given.source ?? vector.provider;
      const own = given.own && given.source === null && vector.valid;
      const { secret, texts } = setUp(vector);
      const headers = new Headers(vector.headers);
      const change = given.raw as { edit?: Parameters<typeof edited>[1]; body?: string };
      const raw = change.body ?? (change.edit ? edited(vector.rawBody, change.edit) : vector.rawBody);
      const known = [
        ...new Set([...Object.keys(vector.headers), ...everyHeader(sources[provider]?.handler?.scheme as Scheme)]),
      ];
      for (const { which, edit, value } of given.headers) {
        const name = known[which % Math.max(1, known.length)] ?? "x-signature";
        headers.set(name, value ?? edited(headers.get(name) ?? "", edit));
      }

      const accepted: PlannedWebhook[] = [];
      const accept = async (...encoded: EncodedWebhooks) => {
        const webhooks = decodeWebhooks(...encoded);
        accepted.push(...webhooks);
        return encodeResult({ receipts: webhooks.map(() => ({ id: "wh_1", duplicate: false, deliveries: 0 })) });
      };
      const door = doorOf(sources, {
        now: () => vector.now * 1000,
        urlOf: ({ url }) => vector.url ?? url,
        fetch: async (url) => new Response(texts[url] ?? '{"keys":[]}'),
      });
      const env = {
        SECRET: own ? secret : foreign(provider),
        OUTBOX: { getByName: () => ({ accept }) },
      } as unknown as Env;
      const token = given.token === null ? "" : `/${encodeURIComponent(given.token)}`;
      const path = `/${provider}${token}${given.query === null ? "" : `?${given.query}`}`;
      const hasBody = given.method !== "GET" && given.method !== "HEAD";
      const response = await routesOf(door).request(
        ...([path, { method: given.method, headers, ...(hasBody ? { body: raw } : {}) }, env] as const),
      );

      seen.set(response.status, (seen.get(response.status) ?? 0) + 1);
      expect(response.status).toBeLessThan(500);
      if (given.method !== "POST") {
        expect(accepted).toEqual([]);
        return;
      }
      const unproven = !own || (raw !== vector.rawBody && coversBody(sources[provider]?.handler?.scheme as Scheme));
      if (unproven) {
        expect(accepted).toEqual([]);
        expect([401, 404]).toContain(response.status);
      }
    }),
    { numRuns: RUNS, examples: unchanged, ...SEED },
  );
  const some = RUNS >= 20_000 ? [202, 400, 401, 404, 405] : [202, 401];
  if (RUNS >= 1_000) expect([...seen.keys()]).toEqual(expect.arrayContaining(some));
}, 3_600_000);
