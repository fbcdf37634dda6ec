import type { Context, Env, Hono } from "hono";
import { bodyOf, errorStatus, type Refusal } from "./errors.ts";
import { routesOf } from "./match.ts";
import type { Contract, Operation } from "./operation.ts";
import { type ApiRequest, readerOf } from "./read-request.ts";

/** A body with its status (none with 204), or an error. */
export type Reply = ({ status: number; body: unknown } | { refusal: Refusal }) & { headers?: Record<string, string> };

export type Service<Auth, Bindings = unknown> = {
  /** Runs before the body is read. */
  authorize(request: Request, env: Bindings): Promise<{ auth: Auth } | { refusal: Refusal }>;
  /** Also gets invalid requests: rate limit and idempotency key come before validation. */
  run(auth: Auth, request: ApiRequest): Promise<Reply>;
};

/** Mounts a contract under `prefix`. Known paths answer other methods with 405 and `Allow`. */
export const mount = <Auth, E extends Env>(
  app: Hono<E>,
  prefix: string,
  contract: Contract,
  service: Service<Auth, E["Bindings"]>,
): void => {
  const byPath = new Map<string, { name: string; methods: Operation["method"][] }>();
  const all = routesOf(contract, prefix);
  const former = all.flatMap((route) => {
    const { formerPath } = route.operation;
    return formerPath === undefined ? [] : [{ ...route, path: prefix + formerPath }];
  });
  for (const { name, operation, path: pattern } of [...all, ...former]) {
    const path = pattern.replaceAll(/\{(\w+)\}/g, ":$1");
    byPath.set(path, { name, methods: [...(byPath.get(path)?.methods ?? []), operation.method] });
    const read = readerOf(name, operation);
    app.on(operation.method, path, async (c) => {
      const authorized = await service.authorize(c.req.raw, c.env);
      if ("refusal" in authorized) return answer(authorized);
      const request = await read(c.req.raw, c.req.param());
      return answer(await service.run(authorized.auth, request), operation);
    });
  }
  const refuseAs = async (c: Context<E>, operation: string, refusal: Refusal, headers: Record<string, string>) => {
    const authorized = await service.authorize(c.req.raw, c.env);
    if ("refusal" in authorized) return answer({ refusal, headers });
    const reply = await service.run(authorized.auth, { operation, refusal });
    return answer({ ...reply, headers: { ...reply.headers, ...headers } });
  };
  for (const [path, { name, methods }] of byPath) {
    app.all(path, (c) => {
      const message = `${c.req.method} is not allowed here; use ${methods.join(" or ")}.`;
      return refuseAs(c, name, { code: "method_not_allowed", message }, { Allow: methods.join(", ") });
    });
  }
  app.all(`${prefix}/*`, (c, next) => {
    if (c.req.method === "OPTIONS") return next();
    const message = `There is nothing at ${c.req.method} ${c.req.path}.`;
    return refuseAs(c, all[0]?.name ?? "", { code: "not_found", message }, {});
  });
};

export const answer = (reply: Reply, operation?: Operation): Response => {
  const headers = { ...reply.headers };
  if ("refusal" in reply) {
    const { refusal } = reply;
    if (refusal.retryAfter !== undefined) headers["Retry-After"] = `${refusal.retryAfter}`;
    return Response.json(bodyOf(refusal, operation?.errorObject), { status: errorStatus[refusal.code], headers });
  }
  const { status, body } = reply;
  if (operation?.text) {
    return new Response(String(body), { status, headers: { "Content-Type": "text/plain; charset=utf-8", ...headers } });
  }
  return status === 204 ? new Response(null, { status, headers }) : Response.json(body, { status, headers });
};
