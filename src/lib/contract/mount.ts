import type { Hono } from "hono";
import { readText } from "./body.ts";
import { bodyOf, errorStatus, type Refusal, refusalOf } from "./errors.ts";
import {
  type Contract,
  hasBody,
  MAX_BODY,
  MAX_IDEMPOTENCY_KEY,
  type Operation,
  operationsOf,
  pathParameters,
} from "./operation.ts";

/** A request as read from HTTP: its parsed input, or the refusal when it is not valid. */
export type ApiRequest = { operation: string; idempotencyKey?: string } & (
  | { input: Record<string, unknown> }
  | { refusal: Refusal }
);

/** Answer of a service: a body with its status (no body with 204), or a refusal. */
export type Reply = ({ status: number; body: unknown } | { refusal: Refusal }) & { headers?: Record<string, string> };

export type Service<Auth> = {
  /** Runs before the body is read. */
  authorize(request: Request): Promise<{ auth: Auth } | { refusal: Refusal }>;
  /** Gets invalid requests too, with their refusal: rate limit and idempotency key come before validation. */
  run(auth: Auth, request: ApiRequest): Promise<Reply>;
};

/**
 * Mounts every operation of a contract under `prefix`. Known paths answer other methods with 405 and `Allow`.
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
      const request = await readRequest(name, operation, c.req.raw, c.req.param());
      return answer(await service.run(authorized.auth, request));
    });
  }
  /** Answers a request that matches no operation. With a good key it counts in the team's rate limit all the same. */
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
    // The app answers OPTIONS, the same for every path.
    if (c.req.method === "OPTIONS") return next();
    const message = `There is nothing at ${c.req.method} ${c.req.path}.`;
    return refuseAs(c.req.raw, all[0]?.name ?? "", { code: "not_found", message }, {});
  });
};

/** A reply as an HTTP response. */
export const answer = (reply: Reply): Response => {
  const headers = reply.headers ?? {};
  if ("refusal" in reply) {
    return Response.json(bodyOf(reply.refusal), { status: errorStatus[reply.refusal.code], headers });
  }
  const { status, body } = reply;
  return status === 204 ? new Response(null, { status, headers }) : Response.json(body, { status, headers });
};

const readRequest = async (
  name: string,
  operation: Operation,
  request: Request,
  parameters: Record<string, string>,
): Promise<ApiRequest> => {
  const key = operation.idempotent ? request.headers.get("Idempotency-Key") : null;
  const read = { operation: name, ...(key === null ? {} : { idempotencyKey: key }) };
  if (key !== null && (key.length < 1 || key.length > MAX_IDEMPOTENCY_KEY)) {
    const message = `Idempotency-Key must have 1 to ${MAX_IDEMPOTENCY_KEY} characters; it has ${key.length}.`;
    return { operation: name, refusal: { code: "invalid_idempotency_key", path: "Idempotency-Key", message } };
  }
  const fields = await readFields(operation, request);
  if ("refusal" in fields) return { ...read, refusal: fields.refusal };

  const fromPath = Object.fromEntries(pathParameters(operation.path).map((p) => [p, parameters[p]]));
  const parsed = operation.request.safeParse({ ...fields.value, ...fromPath });
  return parsed.success ? { ...read, input: parsed.data } : { ...read, refusal: refusalOf(parsed.error) };
};

type Fields = { value: Record<string, unknown> } | { refusal: Refusal };

/** The fields of a request without those in the path: from its body or its query. A DELETE may have both. */
const readFields = async (operation: Operation, request: Request): Promise<Fields> => {
  const query = () => Object.fromEntries(new URL(request.url).searchParams);
  if (!hasBody(operation)) return { value: query() };
  const isDelete = operation.method === "DELETE";
  if (isDelete && !request.body) return { value: query() };
  const read = await readJson(request, operation.maxBody ?? MAX_BODY);
  return isDelete && "value" in read ? { value: { ...query(), ...read.value } } : read;
};

const readJson = async (request: Request, limit: number): Promise<Fields> => {
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
      // The schemas would drop it silently, and the caller would see success.
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

/** Path of a key "__proto__" in an object or one level deeper; undefined when there is none. */
const protoIn = (value: Record<string, unknown>): string | undefined => {
  if (Object.hasOwn(value, "__proto__")) return "__proto__";
  const within = Object.entries(value).find(
    ([, part]) => typeof part === "object" && part !== null && Object.hasOwn(part, "__proto__"),
  );
  return within && `${within[0]}.__proto__`;
};
