import * as z from "zod";
import { readAnswerText } from "../../../lib/contract/body.ts";
import type { Question, Resolve } from "./answer.ts";
import { joinedText } from "./text.ts";

/** `url` is a DNS over HTTPS JSON API; `timeout` takes ms. */
type Dependencies = {
  url: string;
  fetch(request: Request): Promise<Response>;
  timeout(ms: number): AbortSignal;
};

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 65_536;
const MAX_RECORDS = 50;
const MAX_HOPS = 8;

const TYPES = { TXT: 16, MX: 15, A: 1, AAAA: 28 } as const;
const CNAME = 5;

const NXDOMAIN = 3;
const FAILURES: Readonly<Record<number, string>> = {
  1: "the resolver did not understand the question (FORMERR)",
  2: "the name servers of the domain failed (SERVFAIL); if the domain has DNSSEC, its signatures may be wrong",
  4: "the resolver does not know this kind of question (NOTIMP)",
  5: "the resolver refused the question (REFUSED)",
};

const reply = z.object({
  Status: z.number(),
  TC: z.boolean().optional(),
  Answer: z.array(z.object({ name: z.string(), type: z.number(), data: z.string() })).optional(),
});
type Reply = z.output<typeof reply>;

const nameOf = (text: string): string => text.trim().toLowerCase().replace(/\.$/, "");

/**
 * Creates a DNS JSON resolver that follows CNAMEs and never throws:
 * https://developers.cloudflare.com/1.1.1.1/encryption/dns-over-https/make-api-requests/dns-json/.
 */
export const createResolver = (dependencies: Dependencies): Resolve => {
  return async ({ type, host }) => {
    const via: string[] = [];
    for (let name = host; ; ) {
      const asked = await ask(dependencies, { type, host: name });
      if ("failed" in asked) return { status: "failed", reason: asked.failed };
      const { Status, Answer: records = [] } = asked.reply;
      const followed = follow(records, name);
      via.push(...followed);
      if (via.length > MAX_HOPS || via.includes(host)) return { status: "failed", reason: endless(via) };
      name = followed.at(-1) ?? name;
      const values = valuesOf(records, type, name);
      if (values.length > 0) return { status: "found", values, via };
      // A resolver may stop at a CNAME.
      if (followed.length === 0 || Status === NXDOMAIN) return { status: "none", via };
    }
  };
};

/** Creates a resolver that asks over the network. `url` is a DNS over HTTPS JSON API. */
export const networkResolver = (url: string): Resolve =>
  createResolver({ url, fetch: (request) => fetch(request), timeout: (ms) => AbortSignal.timeout(ms) });

const endless = (via: readonly string[]): string =>
  `its CNAME records lead in a circle or are too many: ${via.slice(0, 3).join(", ")} …`;

const follow = (records: NonNullable<Reply["Answer"]>, from: string): string[] => {
  const targets: string[] = [];
  for (let name = from; targets.length <= MAX_HOPS; ) {
    const next = records.find((one) => one.type === CNAME && nameOf(one.name) === name);
    if (!next) break;
    name = nameOf(next.data);
    targets.push(name);
  }
  return targets;
};

const valuesOf = (records: NonNullable<Reply["Answer"]>, type: Question["type"], name: string): string[] =>
  records
    .filter((one) => one.type === TYPES[type] && nameOf(one.name) === name)
    .slice(0, MAX_RECORDS)
    .map(({ data }) => (type === "TXT" ? joinedText(data) : nameOf(data).replace(/\s+/g, " ")));

const ask = async (
  { url, fetch, timeout }: Dependencies,
  { type, host }: Question,
): Promise<{ reply: Reply } | { failed: string }> => {
  const address = resolverAddress(url);
  if (!address) return { failed: "DNS_OVER_HTTPS_URL is no https address" };
  address.searchParams.set("name", host);
  address.searchParams.set("type", type);
  let text: string | undefined;
  try {
    const headers = { Accept: "application/dns-json" };
    const signal = timeout(TIMEOUT_MS);
    const response = await fetch(new Request(address, { headers, redirect: "manual", signal }));
    text = await readAnswerText(response, MAX_BYTES);
    if (response.status !== 200) return { failed: `the resolver answered with status ${response.status}` };
  } catch (error) {
    const isLate = error instanceof Error && error.name === "TimeoutError";
    return {
      failed: isLate ? `the resolver gave no answer within ${TIMEOUT_MS / 1000} s` : "the resolver cannot be reached",
    };
  }
  if (text === undefined) return { failed: `the answer of the resolver has more than ${MAX_BYTES} bytes` };
  return understood(text);
};

const understood = (text: string): { reply: Reply } | { failed: string } => {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { failed: "the answer of the resolver is not JSON" };
  }
  const { data } = reply.safeParse(json);
  if (!data) return { failed: "the answer of the resolver does not have the form of the JSON API" };
  if (data.TC) return { failed: "the answer was truncated" };
  if (data.Status !== 0 && data.Status !== NXDOMAIN) {
    return { failed: FAILURES[data.Status] ?? `the resolver answered with code ${data.Status}` };
  }
  return { reply: data };
};

/** Plain http can be modified, so only a local resolver may use it. */
const resolverAddress = (url: string): URL | undefined => {
  const address = URL.parse(url);
  const isLocal = address !== null && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(address.hostname);
  return address?.protocol === "https:" || (address?.protocol === "http:" && isLocal) ? address : undefined;
};
