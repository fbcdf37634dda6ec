import { actorHeaders } from "../../lib/audit/actor.ts";
import { addressOf } from "../../lib/audit/client-address.ts";
import { idsOf } from "../../lib/audit/note-acts.ts";
import type { Part } from "../../lib/contract/access.ts";
import type { Refusal } from "../../lib/contract/errors.ts";
import type { Match } from "../../lib/contract/match.ts";
import { answer } from "../../lib/contract/mount.ts";
import { log } from "../../lib/util/log.ts";
import { needsProof } from "./danger.ts";
import { bindingOf, type Env, type Half } from "./env.ts";
import type { Session } from "./logins.ts";
import { audit, isProved, PROOF_REQUIRED, personOf } from "./person.ts";
import { isAudited, partOf, roleRefusal } from "./roles.ts";
import { findRoute } from "./routes.ts";

/** Only these headers pass: no cookie, no CORS. */
const REQUEST_HEADERS = ["Content-Type", "Idempotency-Key", "Prefer"];
const ANSWER_HEADERS = ["Retry-After", "Allow", "x-request-id", "Content-Disposition", "RateLimit", "RateLimit-Policy"];
/** Browsers do not execute these types. */
const PLAIN = /^(application\/json|text\/plain|text\/csv|image\/(png|jpeg|gif|webp))(;|$)/;

/** Adds the admin token. `path` is encoded, under `/admin`. */
export const adminRequest = (env: Env, path: string, init: RequestInit = {}): Request => {
  const headers = new Headers(init.headers);
  headers.set("Authorization", `Bearer ${env.ADMIN_TOKEN}`);
  return new Request(`http://half/admin${path}`, { ...init, headers, redirect: "manual" });
};

const refuse = (refusal: Refusal): Response => answer({ refusal });

/** Forwards or refuses an operation. `path` is raw, below `/api/<half>`. */
export const forward = async (env: Env, half: Half, path: string, request: Request, now: number): Promise<Response> => {
  const found = await personOf(env, request, now);
  if ("refusal" in found) return refuse(found.refusal);
  const { person } = found;
  const route = findRoute(half, request.method, path);
  if (!route)
    return refuse({ code: "not_found", message: `The ${half} Worker has no operation ${request.method} ${path}.` });
  const part = await partOf(route.operation, request);
  // The act consumes the body.
  const isNoted = await isAudited(route.operation, request, part);
  const reply = await act(env, half, { ...route, part }, person, request, now);
  // A refused act is audited too.
  if (isNoted) {
    await audit(env, request, {
      at: now,
      who: person.who,
      operation: route.name,
      ids: idsOf(route),
      status: reply.status,
    });
  }
  return reply;
};

const act = async (
  env: Env,
  half: Half,
  route: Match & { part: Part | undefined },
  person: Session,
  request: Request,
  now: number,
): Promise<Response> => {
  const { search } = new URL(request.url);
  const refusal = roleRefusal(person.role, route.part ?? route.operation);
  if (refusal) return refuse(refusal);
  if (!isProved(person, now) && (await needsProof(route.operation, request))) return refuse(PROOF_REQUIRED);
  const binding = bindingOf(env, half);
  if (!binding) return refuse({ code: "half_missing", message: `The ${half} Worker is not deployed here.` });
  const headers = new Headers(actorHeaders({ who: person.who, from: addressOf(request) }));
  for (const name of REQUEST_HEADERS) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const { method, body } = request;
  return ask(binding, adminRequest(env, route.path + search, { method, headers, body }), half);
};

const ask = async (binding: Pick<Fetcher, "fetch">, request: Request, half: Half): Promise<Response> => {
  try {
    const reply = await binding.fetch(request);
    if (reply.status < 300 || reply.status >= 400) return shown(reply);
    log("half_redirected", { half, status: reply.status });
    return refuse({ code: "half_unreachable", message: `The ${half} Worker answered ${reply.status}.` });
  } catch (error) {
    log("half_unreachable", { half, error: (error as Error).message });
    return refuse({ code: "half_unreachable", message: `The ${half} Worker gave no answer. Try again.` });
  }
};

const shown = ({ status, body, headers }: Response): Response => {
  const type = headers.get("Content-Type") ?? "";
  const kept = ANSWER_HEADERS.flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  const all = new Headers(kept);
  if (body !== null) all.set("Content-Type", PLAIN.test(type) ? type : "text/plain; charset=utf-8");
  // A half's 401 concerns the admin token, not the session.
  return status === 401
    ? refuse({ code: "half_unreachable", message: "This Worker's ADMIN_TOKEN is not that of the other Workers." })
    : new Response(body, { status, headers: all });
};
