import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "../../../src/lib/webhook/parse.ts";
import type { Envelope, Handler } from "../../../src/webhook.ts";
import { listHandlers } from "../../handlers.ts";
import { setUp, vectors } from "../../vectors.ts";
import { contextOf, requestOf, verify } from "../signed.ts";

/** One body is several webhooks if the provider sends it under several event types. */
const SEVERAL: Readonly<Record<string, string>> = {
  shopify: "X-Shopify-Topic",
  woocommerce: "X-WC-Webhook-Topic",
};
const NOW = 1_760_000_000_000;
const FIXTURES = join(import.meta.dirname, "../../fixtures");

type Sample = { raw: string; headers: Record<string, string>; url?: string };

const validOf = (provider: string) => vectors.filter((vector) => vector.provider === provider && vector.valid);

const fixturesOf = (provider: string): string[] => {
  if (!readdirSync(FIXTURES).includes(provider)) return [];
  return readdirSync(join(FIXTURES, provider))
    .filter((name) => name.endsWith(".json"))
    .map((name) => readFileSync(join(FIXTURES, provider, name), "utf8"));
};

const samplesOf = (provider: string): Sample[] => [
  ...validOf(provider).map(({ rawBody: raw, headers, url }) => ({ raw, headers, ...(url ? { url } : {}) })),
  ...fixturesOf(provider).map((raw) => ({ raw, headers: {} })),
];

class Recording extends Headers {
  readonly asked = new Set<string>();
  override get(name: string): string | null {
    this.asked.add(name);
    return super.get(name);
  }
}

const read = async (handler: Handler, { raw, ...sample }: Sample, headers: Headers): Promise<Envelope | undefined> => {
  try {
    const [content] = [parse(raw, handler.format)].flat();
    return await handler.read(requestOf({ ...sample, raw, headers }), content, NOW);
  } catch {
    return undefined;
  }
};

const isOneWebhook = (one: Envelope, two: Envelope): boolean =>
  one.id === two.id || (one.bodyDigest !== undefined && one.bodyDigest === two.bodyDigest);

const lookAt = async (provider: string, handler: Handler) => {
  const headers = new Set<string>();
  let readable = 0;
  for (const sample of samplesOf(provider)) {
    const given = new Recording(sample.headers);
    if (await read(handler, sample, given)) readable++;
    for (const name of given.asked) {
      const [one, two] = await Promise.all(
        ["one", "two"].map((id) => read(handler, sample, new Headers({ ...sample.headers, [name]: id }))),
      );
      if (one && two && !isOneWebhook(one, two)) headers.add(name);
    }
  }
  return { readable, headers: [...headers] };
};

const isSigned = async (provider: string, handler: Handler, name: string): Promise<boolean> => {
  for (const vector of validOf(provider)) {
    const { secret, texts } = setUp(vector);
    const sample = { raw: vector.rawBody, headers: vector.headers, ...(vector.url ? { url: vector.url } : {}) };
    const changed = new Headers({ ...vector.headers, [name]: "another" });
    const request = requestOf({ ...sample, headers: changed });
    if (await verify(handler.scheme, request, [secret], vector.now * 1000, contextOf(texts))) continue;
    const [before, after] = [
      await read(handler, sample, new Headers(vector.headers)),
      await read(handler, sample, changed),
    ];
    if (before && after && !isOneWebhook(before, after)) return false;
  }
  return validOf(provider).length > 0;
};

const HANDLERS = await listHandlers();

describe.each(Object.entries(HANDLERS))("%s", (provider, handler) => {
  it("makes one webhook of one signed body, whatever the headers say that nothing signs", async () => {
    const { readable, headers } = await lookAt(provider, handler);
    expect(readable).toBeGreaterThan(0);
    // A shared secret signs nothing: a sender with the secret can change the body too.
    if (handler.scheme.kind === "shared") return;
    const unsigned = [];
    for (const name of headers.filter((name) => name !== SEVERAL[provider]))
      if (!(await isSigned(provider, handler, name))) unsigned.push(name);
    expect(unsigned).toEqual([]);
  });
});
