import { type Env, secretOf } from "../env.ts";
import { readStranger } from "../lib/contract/body.ts";
import type { VerifyContext } from "../lib/signature/scheme.ts";
import { secretsIn } from "../lib/signature/secrets.ts";
import { verifyWith } from "../lib/signature/verify.ts";
import { parse } from "../lib/webhook/parse.ts";
import { handlerOf, type Source, schemeOf } from "../sources.ts";
import type { Envelope, Handler, RawWebhook, Reply } from "../webhook.ts";
import type { refuse } from "./refusal-codes.ts";

/** Bytes. */
const MAX_WEBHOOK = 1_000_000;
/** Segment sends the largest batches: 4000. */
const MAX_ITEMS = 5_000;

export type VerifyDependencies = {
  /** Unix ms. */
  now(): number;
  fetch(url: string): Promise<Response>;
  sleep(ms: number): Promise<void>;
  /** The URL as the sender used it. */
  urlOf(request: Request): string;
};

/** A request to source `name`. `refused` responds and counts the refusal. */
export type HookRequest = { request: Request; env: Env; name: string; source: Source; refused: typeof refuse };

/** A verified request. `raw`: body; `at`: arrival in Unix ms. */
export type VerifiedRequest = { raw: string; at: number; envelopes: Envelope[] };

/** Creates a reader. It returns a response for refusals and endpoint checks. */
export const createReader = ({ now, fetch, sleep, urlOf }: VerifyDependencies) => {
  const cache: VerifyContext["cache"] = new Map();

  return async (hook: HookRequest, token?: string): Promise<VerifiedRequest | Response> => {
    const { request: given, env, name, source, refused } = hook;
    const handler = handlerOf(source);
    const isCheck = given.method === "GET" && handler.endpointCheck?.method === "GET";
    if (given.method !== "POST" && !isCheck) return notAllowed(hook, handler);
    const raw = await readStranger(given, MAX_WEBHOOK);
    if (raw === undefined) return refused("body_too_large", `The body is larger than ${MAX_WEBHOOK} bytes.`);

    const at = now();
    const request: RawWebhook = {
      method: given.method,
      url: urlOf(given),
      headers: given.headers,
      raw,
      ...(token === undefined ? {} : { token }),
    };
    const secrets = secretsIn(secretOf(env, source.secret), handler.freeSecret ?? false);
    const context: VerifyContext = { fetch, cache, sleep, tolerance: source.tolerance };
    if (handler.endpointCheck?.unsigned && secrets.length > 0) {
      const reply = await handler.endpointCheck.answer(request, secrets, undefined, context);
      if (reply) return responseOf(reply);
    }
    if (isCheck && secrets.length > 0) {
      const reply = await handler.endpointCheck?.answer(request, secrets, undefined, context);
      return reply ? responseOf(reply) : notAllowed(hook, handler);
    }
    const refusal = await verifyWith(schemeOf(source), request, secrets, at, context);
    if (refusal?.code === "source_not_configured" && secrets.length === 0)
      return refused(refusal.code, `The source "${name}" has no secret: set ${source.secret}.`);
    if (refusal)
      return refused(refusal.code, refusal.message, refusal.code === "key_unavailable" ? { "Retry-After": "5" } : {});
    return readVerified(hook, handler, request, secrets, context, at);
  };
};

const readVerified = async (
  { refused }: HookRequest,
  handler: Handler,
  request: RawWebhook,
  secrets: readonly string[],
  context: VerifyContext,
  at: number,
): Promise<VerifiedRequest | Response> => {
  const content = parse(request.raw, handler.format);
  if (content === undefined) {
    const form = handler.format ?? "json";
    return refused(
      "invalid_json",
      `The signature is valid, but the body is not valid ${form === "json" ? "JSON" : form}.`,
    );
  }
  try {
    const reply =
      request.method === "GET" ? undefined : await handler.endpointCheck?.answer(request, secrets, content, context);
    if (reply) return responseOf(reply);
    const items = handler.items?.(content) ?? [content];
    if (items.length > MAX_ITEMS)
      return refused(
        "body_too_large",
        `A request may hold at most ${MAX_ITEMS} webhooks; this one has ${items.length}.`,
      );
    const envelopes = await Promise.all(items.map((item) => handler.read(request, item, at)));
    return { raw: request.raw, at, envelopes };
  } catch (error) {
    return refused("unexpected_body", (error as Error).message);
  }
};

export const responseOf = ({ status, body, type = "application/json" }: Reply): Response =>
  new Response(body ?? null, body === undefined ? { status } : { status, headers: HEADERS[type] });

const HEADERS = {
  "application/json": new Headers({ "Content-Type": "application/json" }),
  "text/plain": new Headers({ "Content-Type": "text/plain" }),
};

const notAllowed = ({ request, refused }: HookRequest, { endpointCheck }: Handler): Response =>
  refused("method_not_allowed", `${request.method} is not allowed here; use POST.`, {
    Allow: endpointCheck?.method === "GET" ? "GET, POST" : "POST",
  });
