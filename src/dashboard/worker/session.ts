import type { DashboardContract } from "../../lib/contract/admin/dashboard.ts";
import type { Refusal } from "../../lib/contract/errors.ts";
import type { Reply, Service } from "../../lib/contract/mount.ts";
import type { Request as RequestOf } from "../../lib/contract/operation.ts";
import type { ApiRequest } from "../../lib/contract/read-request.ts";
import { isoOf, MINUTE_MS, timeIn } from "../../lib/util/dates.ts";
import { digest, sameText } from "../../lib/util/hmac.ts";
import { aboutHalves } from "./about.ts";
import { type AccessContext, accessIdentity, hasAccess } from "./access.ts";
import { newSession, setCookie, takesCookies } from "./cookie.ts";
import { MAX_VIEWS, type Session, type View } from "./door.ts";
import type { Env } from "./env.ts";
import { addressOf, adminTokenOf, audit, doorOf, isProved, personOf } from "./person.ts";

/** How long the code of `npm start` is good, in ms. */
const CODE_MS = 10 * MINUTE_MS;

type Login = RequestOf<DashboardContract["session"]["create"]>;
/** A request, with the session of the person who made it. Only a login has none. */
type Auth = { request: Request; now: number; person?: Session };
type Person = Pick<Session, "who" | "role" | "expires">;

const meOf = ({ who, role, expires }: Person) => ({ who, role, expires: isoOf(expires) });

/** The dashboard's own operations. `clock`: Unix ms. */
export const dashboardService = (env: Env, context: AccessContext, clock: () => number): Service<Auth> => ({
  authorize: async (request) => {
    const now = clock();
    if (request.method === "POST" && new URL(request.url).pathname === "/api/session")
      return { auth: { request, now } };
    const found = await personOf(env, request, now);
    return "refusal" in found ? found : { auth: { request, now, person: found.person } };
  },
  run: (auth, request) => run(env, context, auth, request),
});

const run = async (env: Env, context: AccessContext, auth: Auth, asked: ApiRequest): Promise<Reply> => {
  if ("refusal" in asked) return asked;
  const { request, now, person } = auth;
  if (!person) return logIn(env, context, auth, asked.input as Login);
  const ok = (body: unknown, headers = {}): Reply => ({ status: 200, body, headers });
  const door = doorOf(env);
  switch (asked.operation) {
    case "session.get":
      return ok(meOf(person));
    case "session.prove": {
      const proof = await proofOf(env, context, auth, asked.input as Login);
      if ("refusal" in proof) return proof;
      const refusal = proof.byAccess ? unfit(proof, person, now) : undefined;
      if (refusal) return { refusal };
      await door.prove(person.hash, addressOf(request), proof.at);
      return ok(meOf(person));
    }
    case "session.delete":
      await door.close(person.hash);
      return ok({ success: true }, { "Set-Cookie": setCookie(request.url) });
    case "sessions.delete":
      await door.close(undefined);
      await audit(env, { at: now, who: person.who, operation: "dashboard.sessions.delete", ids: {}, status: 200 });
      return ok({ success: true }, { "Set-Cookie": setCookie(request.url) });
    case "sessions.list":
      return ok({
        data: (await door.list(now)).map(({ n, hash, who, role, created, seen, expires }) => ({
          ...{ id: String(n), who, role, current: hash === person.hash },
          ...{ createdAt: isoOf(created), seenAt: isoOf(seen), expiresAt: isoOf(expires) },
        })),
      });
    case "audit.list": {
      const { cursor: before, since, until, ...filter } = asked.input as RequestOf<DashboardContract["audit"]["list"]>;
      const times = { since: timeIn(since, now), until: timeIn(until, now) };
      const { entries, next } = await door.audit({ ...filter, ...times, before }, now);
      const data = entries.map(({ n, at, ...entry }) => ({ id: String(n), at: isoOf(at), ...entry }));
      return ok({ data, next: next === undefined ? null : String(next) });
    }
    case "views.list":
      return ok({ data: (await door.views()).map(shownView) });
    case "views.save": {
      const { name, path } = asked.input as RequestOf<DashboardContract["views"]["save"]>;
      const saved = { name, path, who: person.who, at: now };
      if (!(await door.saveView(saved))) return { refusal: TOO_MANY_VIEWS };
      await audit(env, { at: now, who: person.who, operation: "dashboard.views.save", ids: { name }, status: 200 });
      return ok(shownView(saved));
    }
    case "views.delete": {
      const { name } = asked.input as RequestOf<DashboardContract["views"]["delete"]>;
      if (!(await door.deleteView(name)))
        return { refusal: { code: "not_found", path: "name", message: "name: there is no view with this name." } };
      await audit(env, { at: now, who: person.who, operation: "dashboard.views.delete", ids: { name }, status: 200 });
      return ok({ success: true });
    }
    default:
      return ok({ me: meOf(person), access: hasAccess(env), ...(await aboutHalves(env)) });
  }
};

const shownView = ({ name, path, who, at }: View) => ({ name, path, who, savedAt: isoOf(at) });

const logIn = async (env: Env, context: AccessContext, auth: Auth, login: Login): Promise<Reply> => {
  const { request, now } = auth;
  if (!takesCookies(request.url)) {
    const message = "Open the dashboard over https: a session over http could be read on its way.";
    return { refusal: { code: "https_required", message } };
  }
  const proof = await proofOf(env, context, auth, login);
  if ("refusal" in proof) return proof;
  const { value, hash } = await newSession(proof.token);
  const address = addressOf(request);
  const opened = await doorOf(env).open({ hash, who: proof.who, role: "owner", proved: proof.at, address }, now);
  return { status: 201, body: meOf(opened), headers: { "Set-Cookie": setCookie(request.url, value) } };
};

/** Who a person proves to be. `at`: when that was proved, in Unix ms. With Cloudflare Access this is when it let the person in. */
type Proof = { who: string; token: string; at: number; byAccess?: true };

/** Why what Cloudflare Access has signed proves nothing for a session. Its assertions are good for a day: an old one says nothing about now. */
const unfit = ({ who, at }: Proof, person: Session, now: number): Refusal | undefined => {
  if (who !== person.who) return NOT_THIS_PERSON;
  return isProved({ proved: at }, now) ? undefined : OLD_ACCESS;
};

/** Who a person proves to be, with the admin token, the code of `npm start`, or what Cloudflare Access has signed. */
const proofOf = async (
  env: Env,
  context: AccessContext,
  { request, now }: Auth,
  { token, code }: Login,
): Promise<Proof | { refusal: Refusal }> => {
  const admin = adminTokenOf(env);
  if ("refusal" in admin) return admin;
  const given = token ?? code;
  if (given === undefined) {
    const identity = await accessIdentity(request, env, now, context);
    return identity ? { ...identity, token: admin.token, byAccess: true } : { refusal: NO_TOKEN };
  }
  const wait = await doorOf(env).attempt(addressOf(request), now);
  if (wait > 0) {
    const retryAfter = Math.ceil(wait / 1_000);
    const message = `Too many attempts from this address. Try again in ${Math.ceil(retryAfter / 60)} minutes.`;
    return { refusal: { code: "too_many_logins", message, retryAfter } };
  }
  if (token !== undefined)
    return (await sameText(token, admin.token))
      ? { who: "owner", token: admin.token, at: now }
      : { refusal: WRONG_TOKEN };
  return (await takesCode(env, given, now)) ? { who: "local", token: admin.token, at: now } : { refusal: WRONG_CODE };
};

/** True for the code of `npm start`, once and within ten minutes. */
const takesCode = async (env: Env, code: string, now: number): Promise<boolean> => {
  const { LOGIN_CODE = "" } = env;
  const madeAt = Number.parseInt(LOGIN_CODE.split(".")[0] ?? "", 36);
  if (!(now - madeAt < CODE_MS) || !(await sameText(code, LOGIN_CODE))) return false;
  return doorOf(env).takeCode(await digest(code), now);
};

const NO_TOKEN: Refusal = {
  code: "wrong_token",
  path: "token",
  message: "token is required: the value of ADMIN_TOKEN.",
};
const WRONG_TOKEN: Refusal = { code: "wrong_token", path: "token", message: "token: not the value of ADMIN_TOKEN." };
const NOT_THIS_PERSON: Refusal = {
  code: "wrong_token",
  path: "token",
  message: "token is required: Cloudflare Access has let in another person than the one who is logged in here.",
};
const OLD_ACCESS: Refusal = {
  code: "proof_required",
  path: "token",
  message:
    "token is required: Cloudflare Access let you in more than 15 minutes ago. Or log out of it at /cdn-cgi/access/logout, and in again.",
};
const WRONG_CODE: Refusal = {
  code: "login_code_used",
  path: "code",
  message: "code: this link was used, or is older than ten minutes. Use the value of ADMIN_TOKEN, or start again.",
};
const TOO_MANY_VIEWS: Refusal = {
  code: "too_many_views",
  message: `There are ${MAX_VIEWS} saved views already. Delete one of them first.`,
};
