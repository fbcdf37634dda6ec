import type { Scheme, SignedRequest } from "../../src/lib/signature/scheme.ts";
import { verifyWith } from "../../src/lib/signature/verify.ts";

/** Texts by address, in place of the network. */
export const contextOf = (texts: Readonly<Record<string, string>> = {}) => ({
  fetch: async (url: string) => new Response(texts[url] ?? "", { status: texts[url] === undefined ? 404 : 200 }),
  cache: new Map(),
  sleep: () => Promise.resolve(),
});

export const requestOf = (given: { headers: Headers; raw: string } & Partial<SignedRequest>): SignedRequest => ({
  method: "POST",
  url: "https://bridge.test/hooks/source",
  ...given,
});

/** Checks a request against a scheme, with an empty network by default. */
export const verify = (
  scheme: Scheme,
  request: { headers: Headers; raw: string } & Partial<SignedRequest>,
  secrets: readonly string[],
  now: number,
  context = contextOf(),
) => verifyWith(scheme, requestOf(request), secrets, now, context);
