import type { Hono } from "hono";
import { readText } from "./body.ts";
import { bodyOf, errorStatus, type Refusal, refusalOf } from "./errors.ts";
import {
  type Contract,
  MAX_BODY,
  MAX_IDEMPOTENCY_KEY,
  type Operation,
  operationsOf,
  pathParameters,
} from "./operation.ts";

/** A call that has been read from HTTP: the parsed request, or the refusal of a request that is not valid. */
export type Call = { operation: string; idempotencyKey?: string } & (
  | { input: Record<string, unknown> }
  | { refusal: Refusal }
);

/** What a service answers: a body with its status, or a refusal. */
export type Reply = ({ status: number; body: unknown } | { refusal: Refusal }) & { headers?: Record<string, string> };

export type Service<Auth> = {
  /** Runs before anything of the body is read. */
  authorize(request: Request): Promise<{ auth: Auth } | { refusal: Refusal }>;
  /** An invalid request arrives too, as its refusal: a taken idempotency key and the rate limit come before validation. */
  run(auth: Auth, call: Call): Promise<Reply>;
};

/**
 * Mounts every operation of a contract under `prefix`. Known paths answer other verbs with 405 and `Allow`.
 *
 * @example mount(new Hono(), "/v1", v1, { authorize, run })
 */
export const mount = <Auth>(app: Hono, prefix: string, contract: Contract, service: Service<Auth>): void => {
  const byPath = new Map<string, { name: string; methods: Operation["method"][] }>();
  const all = operationsOf(contract);
  for (const { name, operation } of all) {
    const path = prefix + operation.path.replaceAll(/\{(\w+)\}/g, ":$1");
    byPath.set(path, { name, methods: [...(byPath.get(path)?.methods ?? []), operation.method] });
    app.on(operation.method, path, async (c) => {
      const authorized = await service.authorize(c.req.raw);
      if ("refusal" in authorized) return answer(authorized);
      const call = await readCall(name, operation, c.req.raw, c.req.param());
      return answer(await service.run(authorized.auth, call));
    });
  }
  /** A request that is for no operation: with a good key it is one of the team's all the same, and counts as such. */
  const refuseAs = async (request: Request, operation: string, refusal: Refusal, headers: Record<string, string>) => {
    const authorized = await service.authorize(request);
    if ("refusal" in authorized) return answer({ refusal, headers });
    const reply = await service.run(authorized.auth, { operation, refusal });
    return answer({ ...reply, headers: { ...reply.headers, ...headers } });
  };
  for (const [path, { name, methods }] of byPath) {
    app.all(path, (c) => {
      const message = `${c.req.method} is not allowed here; use ${methods.join(" or ")}.`;
      return refuseAs(c.req.raw, name, { code: "method_not_allowed", message }, { Allow: methods.join(", ") });
    });
  }
  app.all(`${prefix}/*`, (c, next) => {
    // Answered for all paths alike, if at all.
    if (c.req.method === "OPTIONS") return next();
    const message = `There is nothing at ${c.req.method} ${c.req.path}.`;
    return refuseAs(c.req.raw, all[0]?.name ?? "", { code: "not_found", message }, {});
  });
};

/** A reply as an HTTP response. */
export const answer = (reply: Reply): Response =>
  "refusal" in reply
    ? Response.json(bodyOf(reply.refusal), { status: errorStatus[reply.refusal.code], headers: reply.headers ?? {} })
    : Response.json(reply.body, { status: reply.status, headers: reply.headers ?? {} });

const readCall = async (
  name: string,
  operation: Operation,
  request: Request,
  parameters: Record<string, string>,
): Promise<Call> => {
  const key = operation.idempotent ? request.headers.get("Idempotency-Key") : null;
  const call = { operation: name, ...(key === null ? {} : { idempotencyKey: key }) };
  if (key !== null && (key.length < 1 || key.length > MAX_IDEMPOTENCY_KEY)) {
    const message = `Idempotency-Key must have 1 to ${MAX_IDEMPOTENCY_KEY} characters; it has ${key.length}.`;
    return { operation: name, refusal: { code: "invalid_idempotency_key", path: "Idempotency-Key", message } };
  }
  const hasBody = operation.method === "POST" || operation.method === "PUT";
  const read = hasBody
    ? await readJson(request, operation.maxBody ?? MAX_BODY)
    : { value: Object.fromEntries(new URL(request.url).searchParams) };
  if ("refusal" in read) return { ...call, refusal: read.refusal };

  const fromPath = Object.fromEntries(pathParameters(operation.path).map((p) => [p, parameters[p]]));
  const parsed = operation.request.safeParse({ ...read.value, ...fromPath });
  return parsed.success ? { ...call, input: parsed.data } : { ...call, refusal: refusalOf(parsed.error) };
};

const readJson = async (
  request: Request,
  limit: number,
): Promise<{ value: Record<string, unknown> } | { refusal: Refusal }> => {
  const type = request.headers.get("Content-Type") ?? "";
  if (!/^application\/(json|[\w.+-]+\+json)\s*(;|$)/i.test(type)) {
    return { refusal: { code: "unsupported_media_type", message: "Send the body as Content-Type: application/json." } };
  }
  try {
    const raw = await readText(request, limit, true);
    if (raw === undefined) {
      return { refusal: { code: "body_too_large", message: `The body is larger than ${limit} bytes.` } };
    }
    const value: unknown = JSON.parse(raw);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      const hidden = protoIn(value as Record<string, unknown>);
      if (hidden === undefined) return { value: value as Record<string, unknown> };
      // The schemas leave it out without a word, and a caller would be told of success.
      return {
        refusal: {
          code: "invalid_request",
          path: hidden,
          message: `${hidden}: __proto__ is not a name that can be used.`,
        },
      };
    }
    return { refusal: { code: "invalid_json", message: "The body must be a JSON object." } };
  } catch (error) {
    return { refusal: { code: "invalid_json", message: `The body is not valid JSON: ${(error as Error).message}` } };
  }
};

/** Path of a key "__proto__" in an object or one level down. */
const protoIn = (value: Record<string, unknown>): string | undefined => {
  if (Object.hasOwn(value, "__proto__")) return "__proto__";
  const within = Object.entries(value).find(
    ([, part]) => typeof part === "object" && part !== null && Object.hasOwn(part, "__proto__"),
  );
  return within && `${within[0]}.__proto__`;
};
