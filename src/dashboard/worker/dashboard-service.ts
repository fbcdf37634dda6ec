import { shownAudit } from "../../lib/audit/entries.ts";
import type { DashboardContract } from "../../lib/contract/admin/dashboard.ts";
import { errorStatus, type Refusal } from "../../lib/contract/errors.ts";
import type { Reply, Service } from "../../lib/contract/mount.ts";
import type { Operation, Request as RequestOf } from "../../lib/contract/operation.ts";
import type { ApiRequest } from "../../lib/contract/read-request.ts";
import { isoOf, timeIn } from "../../lib/util/dates.ts";
import { aboutHalves } from "./about-workers.ts";
import { type AccessContext, accessRole, hasAccess } from "./access.ts";
import type { Env } from "./env.ts";
import { type Auth, type Login, meOf, onTheWay, proofOf, unfit } from "./login/login.ts";
import { peopleOperations } from "./login/people.ts";
import { MAX_VIEWS, type Session, type View } from "./logins.ts";
import { audit, isProved, loginsOf, PROOF_REQUIRED, personOf } from "./person.ts";
import { beyond, roleRefusal } from "./roles.ts";
import { operations } from "./routes.ts";
import { setCookie } from "./session-cookie.ts";

const OPEN: ReadonlySet<string> = new Set([
  "/api/session",
  "/api/session/options",
  "/api/invite",
  "/api/invite/accept",
]);

/** The dashboard's operations. `clock` returns Unix ms. */
export const dashboardService = (env: Env, context: AccessContext, clock: () => number): Service<Auth> => ({
  authorize: async (request) => {
    const now = clock();
    if (request.method === "POST" && OPEN.has(new URL(request.url).pathname)) return { auth: { request, now } };
    const found = await personOf(env, request, now);
    return "refusal" in found ? found : { auth: { request, now, person: found.person } };
  },
  run: (auth, request) => run(env, context, auth, request),
});

const run = async (env: Env, context: AccessContext, auth: Auth, apiRequest: ApiRequest): Promise<Reply> => {
  if ("refusal" in apiRequest) return apiRequest;
  const { request, now, person } = auth;
  if (!person) return onTheWay(env, context, auth, apiRequest);
  const operation = `dashboard.${apiRequest.operation}`;
  const known = operations.get(operation);
  if (!known) throw new Error(`There is no operation ${operation}.`);
  const refusal = roleRefusal(person.role, known) ?? oldProof(known, person, now);
  if (refusal) {
    // A refused act is audited too.
    await audit(env, request, { at: now, who: person.who, operation, ids: {}, status: errorStatus[refusal.code] });
    return { refusal };
  }
  const about = peopleOperations[apiRequest.operation];
  if (about) return about({ env, request, now, person, input: apiRequest.input });
  const ok = (body: unknown, headers = {}): Reply => ({ status: 200, body, headers });
  switch (apiRequest.operation) {
    case "session.get":
      return ok(meOf(person));
    case "session.prove": {
      const proof = await proofOf(env, context, auth, apiRequest.input as Login, person);
      if ("refusal" in proof) return proof;
      const refusal = proof.via === "access" ? unfit(proof, person, now) : undefined;
      const status = refusal ? errorStatus[refusal.code] : 200;
      if (!refusal) await loginsOf(env).prove(person.hash, proof.at);
      await audit(env, request, { at: now, who: person.who, operation, ids: { via: proof.via }, status });
      return refusal ? { refusal } : ok(meOf(person));
    }
    case "session.delete":
      await loginsOf(env).close(person.hash);
      await audit(env, request, { at: now, who: person.who, operation, ids: {}, status: 200 });
      return ok({ success: true }, { "Set-Cookie": setCookie(request.url) });
    case "sessions.delete":
      if (person.role === "owner") await loginsOf(env).close(undefined);
      else await loginsOf(env).closeOf(person.who);
      await audit(env, request, {
        at: now,
        who: person.who,
        operation: "dashboard.sessions.delete",
        ids: {},
        status: 200,
      });
      return ok({ success: true }, { "Set-Cookie": setCookie(request.url) });
    case "sessions.list":
      return ok({
        data: (await loginsOf(env).list(now))
          .filter(({ who }) => person.role === "owner" || who === person.who)
          .map(({ n, hash, who, role, created, seen, expires }) => ({
            id: String(n),
            who,
            role,
            current: hash === person.hash,
            createdAt: isoOf(created),
            seenAt: isoOf(seen),
            expiresAt: isoOf(expires),
          })),
      });
    case "audit.list": {
      const {
        cursor: before,
        since,
        until,
        ...filter
      } = apiRequest.input as RequestOf<DashboardContract["audit"]["list"]>;
      const times = { since: timeIn(since, now), until: timeIn(until, now) };
      return ok(shownAudit(await loginsOf(env).audit({ ...filter, ...times, before }, now), operations));
    }
    case "views.list":
      return ok({ data: (await loginsOf(env).views()).map(shownView) });
    case "views.save": {
      const { name, path } = apiRequest.input as RequestOf<DashboardContract["views"]["save"]>;
      const saved = { name, path, who: person.who, at: now };
      if (!(await loginsOf(env).saveView(saved))) return { refusal: TOO_MANY_VIEWS };
      await audit(env, request, {
        at: now,
        who: person.who,
        operation: "dashboard.views.save",
        ids: { name },
        status: 200,
      });
      return ok(shownView(saved));
    }
    case "views.delete": {
      const { name } = apiRequest.input as RequestOf<DashboardContract["views"]["delete"]>;
      if (!(await loginsOf(env).deleteView(name)))
        return { refusal: { code: "not_found", path: "name", message: "name: there is no view with this name." } };
      await audit(env, request, {
        at: now,
        who: person.who,
        operation: "dashboard.views.delete",
        ids: { name },
        status: 200,
      });
      return ok({ success: true });
    }
    default:
      return ok(await aboutOf(env, person));
  }
};

const aboutOf = async (env: Env, person: Session) => {
  const passkeys = person.person === null ? [] : await loginsOf(env).passkeys(person.person);
  const me = { ...meOf(person), person: person.person, passkeys: passkeys.length, needs: beyond(person.role) };
  const own = { access: hasAccess(env), accessRole: accessRole(env, true) ?? null, isLocal: Boolean(env.LOGIN_CODE) };
  return { me, ...own, ...(await aboutHalves(env)) };
};

const shownView = ({ name, path, who, at }: View) => ({ name, path, who, savedAt: isoOf(at) });

const oldProof = ({ danger }: Operation, person: Session, now: number): Refusal | undefined =>
  danger && !isProved(person, now) ? PROOF_REQUIRED : undefined;

const TOO_MANY_VIEWS: Refusal = {
  code: "too_many_views",
  message: `There are ${MAX_VIEWS} saved views already. Delete one of them first.`,
};
