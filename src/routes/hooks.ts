import { type Context, Hono } from "hono";
import { type Env, outboxOf, secretOf, secretsIn } from "../env.ts";
import { readText } from "../lib/contract/body.ts";
import type { Scheme, VerifyContext } from "../lib/signature/scheme.ts";
import { verifyWith } from "../lib/signature/verify.ts";
import { log } from "../lib/util/log.ts";
import { callObject } from "../lib/util/retry-object.ts";
import { parse } from "../lib/webhook/parse.ts";
import { decodeResult, encodeWebhooks } from "../outbox/intake/rpc-text.ts";
import type { AcceptResult, Receipt } from "../outbox/model/types.ts";
import { handlerOf, type Source, sources } from "../sources.ts";
import type { Envelope, RawWebhook, Reply } from "../webhook.ts";
import { type DoorError, refuse } from "./errors.ts";
import { noSource } from "./no-source.ts";
import { toPlannedWebhook } from "./plan.ts";
import { createTally, UNKNOWN } from "./refusal-tally.ts";

/** Largest webhook in bytes. */
const MAX_WEBHOOK = 1_000_000;
/** Most webhooks in one request; Segment, which sends the largest batches, sends 4000. */
const MAX_ITEMS = 5_000;
/** Ms a provider has to hand out its public keys. */
const TIMEOUT = 5_000;

/** What the door needs of its surroundings; tests bring their own clock, keys, and address. */
type Surroundings = {
  now(): number;
  fetch(url: string): Promise<Response>;
  /** The address as the sender used it. */
  urlOf(request: Request): string;
  sleep?(ms: number): Promise<void>;
};

const real: Required<Surroundings> = {
  now: () => Date.now(),
  // A redirect would lead away from the host that a scheme has pinned.
  fetch: (url) => fetch(url, { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT) }),
  urlOf: (request) => request.url,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** A request at the door: the source it names, and how it is refused. */
type Visit = { c: Context<{ Bindings: Env }>; name: string; source: Source; refused: typeof refuse };
/** What a verified request brings; `raw`: its body, `at`: Unix ms. */
type Opened = { raw: string; at: number; envelopes: Envelope[] };

const takesToken = (scheme: Scheme): boolean =>
  scheme.kind === "shared" ? scheme.path === true : "of" in scheme && scheme.of.some(takesToken);

/**
 * The door: verify, read, plan, and one call to the Outbox, which answers once all webhooks of the request and their
 * calls are committed together. A refusal leaves the journal as it was.
 */
export const hooksOf = (
  all: Readonly<Record<string, Source>>,
  { now, fetch, urlOf, sleep = real.sleep }: Surroundings = real,
) => {
  const cache: VerifyContext["cache"] = new Map();

  const tally = createTally(sleep);

  /** One line, and one more of its kind in this minute. */
  const count = (c: Context<{ Bindings: Env }>, source: string, code: DoorError): void => {
    log("webhook_refused", { source, code });
    const context = contextOf(c);
    const waitUntil = context && ((work: Promise<void>) => context.waitUntil(work));
    tally.note(source, code, now(), waitUntil, (refused) => outboxOf(c.env).refused(refused));
  };

  /** Verifies and reads a request: the webhooks in it, or what it is answered at once. */
  const open = async ({ c, name, source, refused }: Visit, token?: string): Promise<Opened | Response> => {
    const handler = handlerOf(source);
    const asks = c.req.method === "GET" && handler.handshake?.method === "GET";
    if (c.req.method !== "POST" && !asks) return notAllowed(refused, c, handler.handshake?.method === "GET");
    const raw = await readText(c.req.raw, MAX_WEBHOOK);
    if (raw === undefined) return refused("body_too_large", `The body is larger than ${MAX_WEBHOOK} bytes.`);

    const at = now();
    const request: RawWebhook = {
      ...{ method: c.req.method, url: urlOf(c.req.raw), headers: c.req.raw.headers, raw },
      ...(token === undefined ? {} : { token }),
    };
    const secrets = secretsIn(secretOf(c.env, source.secret), handler.freeSecret ?? false);
    const outside: VerifyContext = { fetch, cache, tolerance: source.tolerance };
    if (asks && secrets.length > 0) {
      const reply = await handler.handshake?.answer(request, secrets, undefined, outside);
      return reply ? answer(reply) : notAllowed(refused, c, true);
    }
    const refusal = await verifyWith(handler.scheme, request, secrets, at, outside);
    if (refusal) {
      if (refusal.code === "source_not_configured" && secrets.length === 0) {
        return refused(refusal.code, `The source "${name}" has no secret: set ${source.secret}.`);
      }
      return refused(refusal.code, refusal.message, refusal.code === "key_unavailable" ? { "Retry-After": "5" } : {});
    }

    const content = parse(raw, handler.format);
    if (content === undefined) {
      const form = handler.format ?? "json";
      return refused(
        "invalid_json",
        `The signature is good, but the body is not valid ${form === "json" ? "JSON" : form}.`,
      );
    }
    try {
      const reply = asks ? undefined : await handler.handshake?.answer(request, secrets, content, outside);
      if (reply) return answer(reply);
      const items = handler.items?.(content) ?? [content];
      if (items.length > MAX_ITEMS)
        return refused("body_too_large", `A request may hold ${MAX_ITEMS} webhooks at most.`);
      return { raw, at, envelopes: await Promise.all(items.map((item) => handler.read(request, item, at))) };
    } catch (error) {
      return refused("unexpected_body", (error as Error).message);
    }
  };

  /** Plans the webhooks of a request and hands them to the Outbox. */
  const journal = async ({ c, name, source, refused }: Visit, { raw, at, envelopes }: Opened): Promise<Response> => {
    try {
      const accepted = await Promise.all(
        envelopes.map((envelope) => toPlannedWebhook(name, source, raw, envelope, envelopes.length, at)),
      );
      const taken: AcceptResult =
        accepted.length > 0
          ? decodeResult(await callObject(async () => outboxOf(c.env).accept(...encodeWebhooks(accepted))))
          : { receipts: [] };
      if ("overload" in taken) {
        const { message, retryAfter } = taken.overload;
        return refused("overloaded", message, { "Retry-After": String(retryAfter) });
      }
      const { receipts } = taken;
      const { accepted: reply } = handlerOf(source);
      return reply?.body === undefined && reply?.status !== 204
        ? c.json(summary(receipts), reply?.status === 200 ? 200 : 202)
        : answer(reply);
    } catch (error) {
      log("journal_unavailable", { source: name, error: (error as Error).message });
      return refused("journal_unavailable", "The webhook could not be journalled. Send it again.", {
        "Retry-After": "5",
      });
    }
  };

  const receive = async (c: Context<{ Bindings: Env }>, token?: string): Promise<Response> => {
    const name = c.req.param("source") ?? "";
    const source = Object.hasOwn(all, name) ? all[name] : undefined;
    const refused: typeof refuse = (code, ...rest) => {
      count(c, source ? name : UNKNOWN, code);
      return refuse(code, ...rest);
    };
    if (!source || (token !== undefined && !takesToken(handlerOf(source).scheme)))
      return refused("unknown_source", noSource(name, Object.keys(all)));
    const visit = { c, name, source, refused };
    const opened = await open(visit, token);
    return opened instanceof Response ? opened : journal(visit, opened);
  };

  return new Hono<{ Bindings: Env }>()
    .all("/:source", (c) => receive(c))
    .all("/:source/:token", (c) => receive(c, c.req.param("token")));
};

/** What came of a request: of one webhook its receipt, of several also each. */
const summary = (receipts: readonly Receipt[]) => {
  const [first] = receipts;
  if (first && receipts.length === 1) return first;
  return {
    ...(first ? { id: first.id } : {}),
    duplicate: receipts.every(({ duplicate }) => duplicate),
    calls: receipts.reduce((sum, { calls }) => sum + calls, 0),
    webhooks: receipts,
  };
};

const answer = ({ status, body, type = "application/json" }: Reply): Response =>
  new Response(body ?? null, { status, ...(body === undefined ? {} : { headers: { "Content-Type": type } }) });

/** Undefined outside of a Worker. */
const contextOf = (c: Context) => {
  try {
    return c.executionCtx;
  } catch {
    return undefined;
  }
};

const notAllowed = (refused: typeof refuse, c: Context, get: boolean): Response => {
  const allow = get ? "GET, POST" : "POST";
  return refused("method_not_allowed", `${c.req.method} is not allowed here; use POST.`, {
    Allow: allow,
  });
};

/** The door to the sources of this deployment. */
export const hooks = hooksOf(sources);
