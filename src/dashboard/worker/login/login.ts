import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { addressOf } from "../../../lib/audit/client-address.ts";
import type { DashboardContract } from "../../../lib/contract/admin/dashboard.ts";
import { errorStatus, type Refusal } from "../../../lib/contract/errors.ts";
import type { Reply } from "../../../lib/contract/mount.ts";
import type { Request as RequestOf } from "../../../lib/contract/operation.ts";
import type { ApiRequest } from "../../../lib/contract/read-request.ts";
import { isoOf, MINUTE_MS } from "../../../lib/util/dates.ts";
import { digest, sameText } from "../../../lib/util/hmac.ts";
import { type AccessContext, type AccessIdentity, accessIdentity } from "../access.ts";
import type { Env } from "../env.ts";
import type { Session, Via } from "../logins.ts";
import {
  adminTokenOf,
  audit,
  auditRefused,
  isProved,
  loginsOf,
  notListed,
  personOf,
  roleWithoutEntry,
} from "../person.ts";
import { newSession, setCookie, takesCookies } from "../session-cookie.ts";
import { acceptInvite, openInvite } from "./invites.ts";
import { byPasskey, byRecoveryCode, loginOptions, type NotProved } from "./passkey.ts";

const CODE_MS = 10 * MINUTE_MS;

export type Login = RequestOf<DashboardContract["session"]["create"]>;
/** `person` is absent during login. */
export type Auth = { request: Request; now: number; person?: Session };

/** Returns a person's public data. */
export const meOf = ({ who, role, expires }: Pick<Session, "who" | "role" | "expires">) => ({
  who,
  role,
  expires: isoOf(expires),
});

type Valid = Exclude<ApiRequest, { refusal: Refusal }>;

export const onTheWay = async (
  env: Env,
  context: AccessContext,
  auth: Auth,
  { operation, input }: Valid,
): Promise<Reply> => {
  const { request, now } = auth;
  const admin = adminTokenOf(env);
  if ("refusal" in admin) return admin;
  if (operation === "session.options") {
    if ((input as RequestOf<DashboardContract["session"]["options"]>).for === "login")
      return bodyOf(await loginOptions({ env, request, now, token: admin.token }, undefined));
    const found = await personOf(env, request, now);
    return "refusal" in found
      ? found
      : bodyOf(await loginOptions({ env, request, now, token: admin.token }, found.person));
  }
  if (operation === "session.create") {
    const refusal = overHttp(request);
    if (refusal) return { refusal };
    const proof = await proofOf(env, context, auth, input as Login);
    return "refusal" in proof ? proof : opened(env, auth, proof);
  }
  const refusal = overHttp(request);
  if (refusal) return { refusal };
  const asked = input as RequestOf<DashboardContract["invites"]["accept"]>;
  const tried = { request, now, operation: `dashboard.${operation}`, who: UNKNOWN };
  if (operation === "invites.open") return attempted(env, tried, () => openInvite(env, request, asked.invite, now));
  const accepted = await attempted(env, tried, () => acceptInvite(env, request, asked, now));
  if ("refusal" in accepted) return accepted;
  const { id, name: who, role } = accepted.person;
  return opened(env, auth, { who, role, person: id, via: "passkey", token: admin.token, at: now });
};

const bodyOf = (found: { options: object } | { refusal: Refusal }): Reply =>
  "refusal" in found ? found : { status: 200, body: found };

const overHttp = (request: Request): Refusal | undefined =>
  takesCookies(request.url)
    ? undefined
    : {
        code: "https_required",
        message: "Open the dashboard over https: a session over http could be read on its way.",
      };

const UNKNOWN = "unknown";

type Tried = { request: Request; now: number; operation: string; who: string };

const refused = (env: Env, { request, now: at, operation, who }: Tried, { code }: Refusal): Promise<void> =>
  auditRefused(env, request, { at, who, operation, status: errorStatus[code] });

/**
 * Only failed guesses count, unless the secret was right once. After too many a wrong one is refused without a look
 * at why; the right one gets in, because others may share the address.
 */
const attempted = async <T extends object>(
  env: Env,
  { request, now, operation, who }: Tried,
  attempt: () => Promise<T | NotProved>,
): Promise<T | NotProved> => {
  const counted = await loginsOf(env).attempt(addressOf(request), now);
  const found = await attempt();
  const isRight = !("refusal" in found) || found.isNoGuess;
  if ("wait" in counted) return isRight ? found : { refusal: tooMany(counted.wait) };
  if (isRight) await loginsOf(env).dropAttempt(counted.n);
  else if (!found.isNoted) await refused(env, { request, now, operation, who }, found.refusal);
  return found;
};

const tooMany = (wait: number): Refusal => {
  const retryAfter = Math.ceil(wait / 1_000);
  const message = `Too many wrong attempts from this address. The right secret gets in; try another one in ${Math.ceil(retryAfter / 60)} minutes.`;
  return { code: "too_many_logins", message, retryAfter };
};

const opened = async (env: Env, { request, now }: Auth, proof: Proof): Promise<Reply> => {
  const { value, hash } = await newSession(proof.token);
  const { who, role, via, at: proved } = proof;
  // Cloudflare Access gives an address: its entry can change.
  const person = via === "access" ? null : proof.person;
  const session = { hash, who, role, via, person, proved };
  const me = await loginsOf(env).open(session, now);
  await audit(env, request, { at: now, who, operation: "dashboard.session.create", ids: { via }, status: 201 });
  return { status: 201, body: meOf(me), headers: { "Set-Cookie": setCookie(request.url, value) } };
};

/** `at` is the proof in Unix ms; for Cloudflare Access, the login. */
export type Proof = Pick<Session, "who" | "role" | "person"> & { via: Via; token: string; at: number };

/** Returns why an assertion is no proof. It is valid for a day, so it may be old. */
export const unfit = ({ who, at }: Proof, person: Session, now: number): Refusal | undefined => {
  if (who !== person.who) return NOT_THIS_PERSON;
  return isProved({ proved: at }, now) ? undefined : OLD_ACCESS;
};

/** Verifies a secret, passkey or Cloudflare Access assertion. `session` is to prove. */
export const proofOf = async (
  env: Env,
  context: AccessContext,
  { request, now }: Auth,
  login: Login,
  session?: Session,
): Promise<Proof | { refusal: Refusal }> => {
  const admin = adminTokenOf(env);
  if ("refusal" in admin) return admin;
  const operation = session ? "dashboard.session.prove" : "dashboard.session.create";
  if (Object.values(login).every((one) => one === undefined)) {
    const identity = await accessIdentity(request, env, now, context);
    if (!identity) return { refusal: NO_TOKEN };
    const found = await byAccess(env, identity, admin.token);
    if ("refusal" in found) await refused(env, { request, now, operation, who: identity.who }, found.refusal);
    return found;
  }
  const tried = { request, now, operation, who: session?.who ?? UNKNOWN };
  return attempted(env, tried, () => bySecret(env, admin, { request, now }, login, session));
};

const bySecret = async (
  env: Env,
  admin: { token: string },
  { request, now }: Auth,
  { token, code, passkey, recovery }: Login,
  session?: Session,
): Promise<Proof | NotProved> => {
  const shared = { token: admin.token, at: now };
  if (token !== undefined)
    return (await sameText(token, admin.token))
      ? { ...shared, who: "owner", role: "owner", person: null, via: "token" }
      : { refusal: WRONG_TOKEN };
  if (code !== undefined)
    return (await takesCode(env, code, now))
      ? { ...shared, who: "local", role: "owner", person: null, via: "code" }
      : { refusal: WRONG_CODE };
  const asked = { env, request, now, token: admin.token };
  const found =
    passkey === undefined
      ? await byRecoveryCode(asked, recovery ?? "")
      : await byPasskey(asked, passkey as unknown as AuthenticationResponseJSON, session);
  if ("refusal" in found) return found;
  const { id: person, name: who, role } = found.person;
  return { ...shared, who, role, person, via: passkey === undefined ? "recovery" : "passkey" };
};

const byAccess = async (
  env: Env,
  { who, at }: AccessIdentity,
  token: string,
): Promise<Proof | { refusal: Refusal }> => {
  const entry = await loginsOf(env).personNamed(who);
  const role = entry?.role ?? (await roleWithoutEntry(env));
  return role === undefined
    ? { refusal: notListed(who) }
    : { who, role, person: entry?.id ?? null, via: "access", token, at };
};

const takesCode = async (env: Env, code: string, now: number): Promise<boolean> => {
  const { LOGIN_CODE = "" } = env;
  const madeAt = Number.parseInt(LOGIN_CODE.split(".")[0] ?? "", 36);
  if (!(now - madeAt < CODE_MS) || !(await sameText(code, LOGIN_CODE))) return false;
  return loginsOf(env).takeCode(await digest(code), now);
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
