import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import type { DashboardContract } from "../../../lib/contract/admin/dashboard.ts";
import { errorStatus, type Refusal } from "../../../lib/contract/errors.ts";
import type { Reply } from "../../../lib/contract/mount.ts";
import type { Request as RequestOf } from "../../../lib/contract/operation.ts";
import type { ApiRequest } from "../../../lib/contract/read-request.ts";
import { isoOf, MINUTE_MS } from "../../../lib/util/dates.ts";
import { digest, sameText } from "../../../lib/util/hmac.ts";
import { type AccessContext, type AccessIdentity, accessIdentity } from "../access.ts";
import { newSession, setCookie, takesCookies } from "../cookie.ts";
import type { Env } from "../env.ts";
import type { Session, Via } from "../logins.ts";
import {
  addressOf,
  adminTokenOf,
  audit,
  auditRefused,
  doorOf,
  isProved,
  notListed,
  personOf,
  roleWithoutEntry,
} from "../person.ts";
import { acceptInvite, openInvite } from "./invites.ts";
import { byPasskey, byRecoveryCode, loginOptions, type NotProved } from "./passkey.ts";

/** How long the code of `npm start` is good, in ms. */
const CODE_MS = 10 * MINUTE_MS;

export type Login = RequestOf<DashboardContract["session"]["create"]>;
/** A request, with the session of the person who made it. What is on the way to a login has none. */
export type Auth = { request: Request; now: number; person?: Session };

/** What an answer says of a person. */
export const meOf = ({ who, role, expires }: Pick<Session, "who" | "role" | "expires">) => ({
  who,
  role,
  expires: isoOf(expires),
});

type Valid = Exclude<ApiRequest, { refusal: Refusal }>;

/** What a person does to log in. */
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

/** The name in the audit of a person who did not prove to be one. */
const UNKNOWN = "unknown";

/** What is tried, by whom where that is known: "unknown" otherwise. `now`: Unix ms. */
type Tried = { request: Request; now: number; operation: string; who: string };

/** Counts a refused login in the audit. */
const refused = (env: Env, { request, now: at, operation, who }: Tried, { code }: Refusal): Promise<void> =>
  auditRefused(env, { at, who, operation, status: errorStatus[code], from: addressOf(request) });

/**
 * Tries what may be a guess, unless there were too many from this address. It counts unless it is right or was right once, and the audit has what
 * did not work.
 */
const attempted = async <T extends object>(
  env: Env,
  { request, now, operation, who }: Tried,
  attempt: () => Promise<T | NotProved>,
): Promise<T | NotProved> => {
  const door = doorOf(env);
  const counted = await door.attempt(addressOf(request), now);
  if ("wait" in counted) {
    const retryAfter = Math.ceil(counted.wait / 1_000);
    const message = `Too many attempts from this address. Try again in ${Math.ceil(retryAfter / 60)} minutes.`;
    return { refusal: { code: "too_many_logins", message, retryAfter } };
  }
  const found = await attempt();
  if (!("refusal" in found) || found.isNoGuess) await door.forgetAttempt(counted.n);
  else if (!found.isNoted) await refused(env, { request, now, operation, who }, found.refusal);
  return found;
};

/** Opens a session for a person who has proved who they are. */
const opened = async (env: Env, { request, now }: Auth, proof: Proof): Promise<Reply> => {
  const { value, hash } = await newSession(proof.token);
  const { who, role, via, at: proved } = proof;
  // Cloudflare Access gives an address: whose entry it is can change while the session lasts.
  const person = via === "access" ? null : proof.person;
  const session = { hash, who, role, via, person, proved };
  const me = await doorOf(env).open(session, now);
  await audit(env, { at: now, who, operation: "dashboard.session.create", ids: { via }, status: 201 });
  return { status: 201, body: meOf(me), headers: { "Set-Cookie": setCookie(request.url, value) } };
};

/** Who a person proves to be. `at`: when that was proved, in Unix ms. With Cloudflare Access this is when it let the person in. */
export type Proof = Pick<Session, "who" | "role" | "person"> & { via: Via; token: string; at: number };

/** Why what Cloudflare Access has signed proves nothing for a session. Its assertions are good for a day: an old one says nothing about now. */
export const unfit = ({ who, at }: Proof, person: Session, now: number): Refusal | undefined => {
  if (who !== person.who) return NOT_THIS_PERSON;
  return isProved({ proved: at }, now) ? undefined : OLD_ACCESS;
};

/**
 * Who a person proves to be, with the admin token, the code of `npm start`, a passkey, a recovery code, or what Cloudflare Access has signed.
 * `session`: whose proof it is.
 */
export const proofOf = async (
  env: Env,
  context: AccessContext,
  { request, now }: Auth,
  given: Login,
  session?: Session,
): Promise<Proof | { refusal: Refusal }> => {
  const admin = adminTokenOf(env);
  if ("refusal" in admin) return admin;
  const operation = session ? "dashboard.session.prove" : "dashboard.session.create";
  if (Object.values(given).every((one) => one === undefined)) {
    const identity = await accessIdentity(request, env, now, context);
    if (!identity) return { refusal: NO_TOKEN };
    const found = await byAccess(env, identity, admin.token);
    if ("refusal" in found) await refused(env, { request, now, operation, who: identity.who }, found.refusal);
    return found;
  }
  const tried = { request, now, operation, who: session?.who ?? UNKNOWN };
  return attempted(env, tried, () => bySecret(env, admin, { request, now }, given, session));
};

/** Who a person proves to be with a secret or a passkey. */
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

/** Whom Cloudflare Access has let in, with the role of that person's entry, or of those without one. */
const byAccess = async (
  env: Env,
  { who, at }: AccessIdentity,
  token: string,
): Promise<Proof | { refusal: Refusal }> => {
  const entry = await doorOf(env).personNamed(who);
  const role = entry?.role ?? (await roleWithoutEntry(env));
  return role === undefined
    ? { refusal: notListed(who) }
    : { who, role, person: entry?.id ?? null, via: "access", token, at };
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
