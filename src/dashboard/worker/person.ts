import { tokenProblem } from "../../lib/admin-token/admin-token.ts";
import { addressOf } from "../../lib/audit/client-address.ts";
import type { Entry } from "../../lib/audit/entries.ts";
import { noteSurely, orLogged } from "../../lib/audit/note-surely.ts";
import type { Role } from "../../lib/contract/access.ts";
import type { Refusal } from "../../lib/contract/errors.ts";
import { callObject } from "../../lib/util/retry-object.ts";
import { accessRole } from "./access.ts";
import type { Env } from "./env.ts";
import type { RefusedLogin } from "./logins/refused.ts";
import { type Logins, PROOF_MS, type Session } from "./logins.ts";
import { sessionHash } from "./session-cookie.ts";

export const loginsOf = (env: Env): DurableObjectStub<Logins> => env.LOGINS.getByName("main");

export const adminTokenOf = ({ ADMIN_TOKEN = "" }: Env): { token: string } | { refusal: Refusal } => {
  const problem = tokenProblem(ADMIN_TOKEN);
  return problem ? { refusal: { code: "admin_token_unusable", message: problem } } : { token: ADMIN_TOKEN };
};

export const personOf = async (
  env: Env,
  request: Request,
  now: number,
): Promise<{ person: Session } | { refusal: Refusal }> => {
  const admin = adminTokenOf(env);
  if ("refusal" in admin) return admin;
  const hash = await sessionHash(request, admin.token);
  const person = hash === undefined ? undefined : await callObject(() => loginsOf(env).find(hash, now));
  if (!person)
    return {
      refusal: {
        code: "session_required",
        message: "You are not logged in, or your session has ended. Log in: POST /api/session.",
      },
    };
  if (person.via !== "access" || person.person !== null) return { person };
  // The variable may have changed.
  const role = await roleWithoutEntry(env);
  return role === undefined ? { refusal: notListed(person.who) } : { person: { ...person, role } };
};

export const roleWithoutEntry = async (env: Env): Promise<Role | undefined> =>
  accessRole(env, env.ACCESS_ROLE === undefined && (await loginsOf(env).wasListed()));

export const notListed = (who: string): Refusal => ({
  code: "role_required",
  message: `Cloudflare Access has let you in as ${who}, who has no role here. An owner can give you one: Settings, Members.`,
});

export const PROOF_REQUIRED: Refusal = {
  code: "proof_required",
  message:
    "This cannot be undone, and your login is older than 15 minutes. Prove who you are first: POST /api/session/prove.",
};

export const isProved = ({ proved }: Pick<Session, "proved">, now: number): boolean => now - proved < PROOF_MS;

/** Writes an audit entry, or a log entry on failure. */
export const audit = (env: Env, request: Request, entry: Omit<Entry, "from">): Promise<void> =>
  noteSurely({ ...entry, from: addressOf(request) }, (noted, id) => loginsOf(env).note(noted, id));

/** Counts a refusal in the audit, or logs it on failure. */
export const auditRefused = (env: Env, request: Request, login: Omit<RefusedLogin, "from">): Promise<void> =>
  orLogged(login, () => loginsOf(env).noteRefused({ ...login, from: addressOf(request) }));
