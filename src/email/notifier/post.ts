import { parseRetryAfter } from "../../lib/contract/client.ts";
import { neverLeft } from "../../lib/util/never-left.ts";
import { signedHeaders, standardKey } from "../../lib/webhook/standard-webhook.ts";
import type { Attempted, Outgoing, OutgoingBatch } from "../types/notifier-rpc.ts";
import { addressProblem } from "./address.ts";

/** Time limit of one attempt, in ms. */
const TIMEOUT_MS = 15_000;
const EXCERPT = 300;

export type Dependencies = {
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Unix ms. */
  now(): number;
  allowPrivate: boolean;
  /** Returns why a call to a host failed, if its addresses tell. */
  whyUnreachable?(host: string): Promise<string | undefined>;
};

/** Posts one event and reads the answer. Undefined if the request never left. Never throws. */
export const post = async (
  { fetch, now, allowPrivate, whyUnreachable }: Dependencies,
  { url, secrets }: Omit<OutgoingBatch, "events">,
  { event, id, payload }: Outgoing,
): Promise<Attempted | undefined> => {
  const at = now();
  const attempted = (result: { status: number; response: string; retryAfter?: number } | { error: string }) => ({
    event,
    at,
    ms: now() - at,
    ...result,
  });
  // The rule may have changed since the endpoint was added.
  const problem = addressProblem(url, allowPrivate);
  if (problem !== undefined) return attempted({ error: `not called: the address ${problem}` });
  if (secrets.length === 0)
    return attempted({ error: "not called: its secret was sealed with another API_KEY_SECRET; rotate the secret" });
  try {
    const headers = await headersOf(secrets, id, at, payload);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    // A redirect could lead to a forbidden address.
    const response = await fetch(url, { method: "POST", headers, body: payload, redirect: "manual", signal });
    const wait = retryAfterOf(response, now());
    const excerpt = await beginningOf(response);
    return attempted({ status: response.status, response: excerpt, ...(wait > 0 ? { retryAfter: wait } : {}) });
  } catch (error) {
    if (neverLeft(error)) return undefined;
    const isLate = error instanceof Error && error.name === "TimeoutError";
    if (isLate) return attempted({ error: `no answer within ${TIMEOUT_MS / 1000} seconds` });
    const why = await whyUnreachable?.(new URL(url).hostname.replace(/\.$/, ""));
    return attempted({ error: why ?? messageOf(error) });
  }
};

/** workerd has one error for a name without an address and for TLS. */
const messageOf = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error);
  return /^internal error/i.test(message)
    ? "no connection: the host name has no address in the DNS, or TLS fails"
    : message.slice(0, EXCERPT);
};

const headersOf = async (
  secrets: readonly string[],
  id: string,
  at: number,
  body: string,
): Promise<Record<string, string>> => {
  const keys = secrets.flatMap((secret) => standardKey(secret) ?? []);
  const signed = await Promise.all(keys.map((key) => signedHeaders(key, id, Math.floor(at / 1000), body)));
  return {
    "Content-Type": "application/json",
    "User-Agent": "Mailspan-Webhooks/1.0",
    ...signed[0],
    "webhook-signature": signed.map((one) => one["webhook-signature"]).join(" "),
  };
};

const retryAfterOf = ({ status, headers }: Response, now: number): number =>
  status === 429 || status === 503 ? (parseRetryAfter(headers.get("Retry-After"), now) ?? 0) : 0;

/** A body that fails or stalls changes nothing: the status is the answer. */
const beginningOf = async ({ body }: Response): Promise<string> => {
  if (!body) return "";
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (let size = 0; size < EXCERPT; ) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value.subarray(0, EXCERPT - size), { stream: true });
      size += value.length;
    }
  } catch {
    // The text read so far is shown.
  }
  void reader.cancel().catch(() => {});
  return text;
};
