import { type Context, Hono } from "hono";
import { type Env, outboxOf } from "../env.ts";
import { readText } from "../lib/contract/body.ts";
import { bodyOf, keyRefusal, type Refusal } from "../lib/contract/errors.ts";
import { bearerOf } from "../lib/util/bearer.ts";
import { sameText } from "../lib/util/hmac.ts";
import { log } from "../lib/util/log.ts";
import type { Forwarded } from "../outbox/dispatch/gateway-queue.ts";

/** Bytes. */
const MAX_BODY = 4_000_000;
/** Seconds. Cloudflare ends a request after 30. */
const WAIT = { usual: 5, max: 25 };

/** These headers belong to one connection, Cloudflare or the gateway. */
const NOT_FORWARDED =
  /^(service|connection|keep-alive|transfer-encoding|upgrade|te|trailer|proxy-.*|cf-.*|x-forwarded-.*|x-real-ip|forwarded|prefer|cookie|content-length|accept-encoding)$/i;
/** These headers belong to one connection, or reveal addresses, cookies or caching. */
const NOT_RETURNED =
  /^(connection|keep-alive|transfer-encoding|upgrade|trailer|set-cookie|content-length|content-encoding|alt-svc|location|content-location|refresh|link|cache-control|expires|pragma|age|clear-site-data|access-control-.*)$/i;

/** Forwards `/v1/*` under the common rate limit. The bearer must be EMAIL_API_KEY. Bodies are never logged. */
export const gateway = new Hono<{ Bindings: Env }>().all("/*", async (c) => {
  const bearer = bearerOf(c.req.raw);
  const key = c.env.EMAIL_API_KEY ?? "";
  if (bearer === undefined) {
    return answer(401, keyRefusal("missing_api_key", "Send Authorization: Bearer with the team's API key."));
  }
  if (key === "" || !(await sameText(bearer, key))) return answer(401, keyRefusal("invalid_api_key"));
  return forward(c);
});

/** Forwards an operator's requests in the lowest lane, with the team's key. */
export const operatorGateway = new Hono<{ Bindings: Env }>().all("/v1/*", (c) =>
  forward(c, { lane: "backfill", key: c.env.EMAIL_API_KEY ?? "" }),
);

const forward = async (
  c: Context<{ Bindings: Env }>,
  operator?: { lane: "backfill"; key: string },
): Promise<Response> => {
  const { origin, pathname: given, search } = new URL(c.req.url);
  const pathname = normalPath(operator ? given.replace(/^\/admin/, "") : given);
  if (pathname === undefined)
    return answer(404, {
      code: "not_found",
      message: ENCODED_SLASH.test(given)
        ? "An encoded slash (%2F or %5C) may stand only in a name: GET /v1/event-patterns/by-name/{eventName}."
        : "This path does not exist. The paths of the API begin with /v1/.",
    });

  const wait = waitOf(c.req.header("Prefer"));
  if (wait === undefined) {
    const message = `Prefer: wait must be a whole number of seconds from 0 to ${WAIT.max}, as in "wait=20".`;
    return answer(400, { code: "invalid_request", message, path: "Prefer" });
  }
  let body: string | undefined;
  try {
    body = await readText(c.req.raw, MAX_BODY, true);
  } catch {
    return answer(400, { code: "invalid_json", message: "The body is not UTF-8." });
  }
  if (body === undefined) {
    return answer(413, { code: "body_too_large", message: `The body is larger than ${MAX_BODY} bytes.` });
  }
  const { method } = c.req.raw;
  const hops = (c.req.header("Connection") ?? "").toLowerCase().split(/[\s,]+/);
  const headers = [...c.req.raw.headers].filter(
    ([name]) => !NOT_FORWARDED.test(name) && !hops.includes(name.toLowerCase()),
  );
  const hasBody = method !== "GET" && method !== "HEAD" && body !== "";
  const request = {
    method,
    origin,
    path: pathname + search,
    body: hasBody ? body : undefined,
    headers: operator ? asTeam(headers, operator.key) : headers,
    ...(operator ? { lane: operator.lane } : {}),
  };
  const forwarded: Forwarded = await outboxOf(c.env).forward(request, wait * 1000);
  if ("refused" in forwarded) {
    const { refused, message, retryAfter } = forwarded;
    log("gateway_refused", { code: REFUSALS[refused].code });
    return answer(
      REFUSALS[refused].status,
      { code: REFUSALS[refused].code, message },
      retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) },
    );
  }
  log("gateway", { method, operation: pathname.split("/")[2] ?? "", status: forwarded.status });
  return new Response(forwarded.body ?? null, {
    status: forwarded.status,
    headers: forwarded.headers.filter(([name = ""]) => !NOT_RETURNED.test(name)) as [string, string][],
  });
};

/** ADMIN_TOKEN must never leave the bridge. */
const asTeam = (headers: [string, string][], key: string): [string, string][] => [
  ...headers.filter(([name]) => !/^(authorization|x-mailspan-.*)$/i.test(name)),
  ["authorization", `Bearer ${key}`],
];

/** The email service may decode these to another path than checked here. */
const ENCODED_SLASH = /%(2f|5c)/i;
/** Names of events may have slashes. A name with a segment `..` could still lead elsewhere. */
const NAME_OF_EVENT = /^\/v1\/event-patterns\/by-name\/(?!(?:[^/]*%(?:2f|5c))?\.{1,2}(?:%(?:2f|5c)|$))[^/]+$/i;

/** Removes needless encoding (RFC 3986 section 6.2.2.2), so that every spelling has the same lane. */
const normalPath = (path: string): string | undefined => {
  const normal = path.replaceAll(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code;
  });
  return /^\/v1\/[\w-]/.test(normal) &&
    !normal.includes("//") &&
    (!ENCODED_SLASH.test(normal) || NAME_OF_EVENT.test(normal))
    ? normal
    : undefined;
};

const REFUSALS = {
  busy: { status: 429, code: "rate_limited" },
  blocked: { status: 503, code: "dispatch_blocked" },
  unreachable: { status: 504, code: "service_unreachable" },
  "too large": { status: 502, code: "answer_too_large" },
} as const;

/** Reads seconds from `Prefer: wait=N` (RFC 7240); undefined if invalid. */
const waitOf = (prefer: string | undefined): number | undefined => {
  const [, given] = /(?:^|[,;\s])wait\s*=\s*"?([^,;"\s]*)"?/i.exec(prefer ?? "") ?? [];
  if (given === undefined) return WAIT.usual;
  return /^\d{1,3}$/.test(given) && Number(given) <= WAIT.max ? Number(given) : undefined;
};

/** Clients read the error format of the v1 API. */
const answer = (
  status: number,
  refusal: Omit<Refusal, "code"> & { code: string },
  headers: Record<string, string> = {},
): Response => Response.json(bodyOf(refusal as Refusal), { status, headers });
