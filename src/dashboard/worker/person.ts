import type { Role } from "../../lib/contract/admin/dashboard.ts";
import type { Refusal } from "../../lib/contract/errors.ts";
import { log } from "../../lib/util/log.ts";
import { accessRole } from "./access.ts";
import { sessionHash } from "./cookie.ts";
import type { Env } from "./env.ts";
import { type Door, PROOF_MS, type Session } from "./logins.ts";

/** Fewest characters of the admin token: a guessed one shows every address. */
const MIN_TOKEN = 24;

export const doorOf = (env: Env): DurableObjectStub<Door> => env.DOOR.getByName("main");

/** The admin token, or why it cannot be used to log in. */
export const adminTokenOf = ({ ADMIN_TOKEN = "" }: Env): { token: string } | { refusal: Refusal } => {
  if (ADMIN_TOKEN.length >= MIN_TOKEN) return { token: ADMIN_TOKEN };
  const problem = ADMIN_TOKEN === "" ? "is not set" : `has fewer than ${MIN_TOKEN} characters`;
  const fix = "Set a longer one on all Workers: openssl rand -hex 32 | npx wrangler secret put ADMIN_TOKEN";
  return { refusal: { code: "admin_token_unusable", message: `ADMIN_TOKEN ${problem}. ${fix}` } };
};

/** The session of a request, or why it has none. */
export const personOf = async (
  env: Env,
  request: Request,
  now: number,
): Promise<{ person: Session } | { refusal: Refusal }> => {
  const admin = adminTokenOf(env);
  if ("refusal" in admin) return admin;
  const hash = await sessionHash(request, admin.token);
  const person = hash === undefined ? undefined : await doorOf(env).find(hash, now);
  if (!person)
    return {
      refusal: {
        code: "session_required",
        message: "You are not logged in, or your session has ended. Log in: POST /api/session.",
      },
    };
  if (person.via !== "access" || person.person !== null) return { person };
  // Of now: the variable may have changed since the login.
  const role = await roleWithoutEntry(env);
  return role === undefined ? { refusal: notListed(person.who) } : { person: { ...person, role } };
};

/** The role of those without an entry in the list of people; undefined where Cloudflare Access alone lets no person in. */
export const roleWithoutEntry = async (env: Env): Promise<Role | undefined> =>
  accessRole(env, env.ACCESS_ROLE === undefined && (await doorOf(env).wasListed()));

/** Why Cloudflare Access alone does not let a person in. */
export const notListed = (who: string): Refusal => ({
  code: "role_required",
  message: `Cloudflare Access has let you in as ${who}, who has no role here. An owner can give you one: Settings, Logins and roles.`,
});

export const PROOF_REQUIRED: Refusal = {
  code: "proof_required",
  message:
    "This cannot be undone, and your login is older than 15 minutes. Prove who you are first: POST /api/session/prove.",
};

/** True while acts that cannot be undone are allowed. */
export const isProved = ({ proved }: Pick<Session, "proved">, now: number): boolean => now - proved < PROOF_MS;

/** Where a request comes from, as far as attempts to log in are counted: an IPv6 user has a whole /64 network. */
export const addressOf = (request: Request): string => {
  const address = request.headers.get("CF-Connecting-IP") ?? "local";
  return address.includes(":") ? address.split(":").slice(0, 4).join(":") : address;
};

/** Writes a request that changed something into the audit. If that fails, the log has it. */
export const audit = (env: Env, entry: Parameters<Door["note"]>[0]): Promise<void> =>
  orLogged(entry, () => doorOf(env).note(entry));

/** Counts a login that was refused, in the audit. If that fails, the log has it. `who`: "unknown" where no name is known. */
export const auditRefused = (env: Env, login: Parameters<Door["noteRefused"]>[0]): Promise<void> =>
  orLogged(login, () => doorOf(env).noteRefused(login));

const orLogged = async (
  { at, operation, status }: Pick<Parameters<Door["note"]>[0], "at" | "operation" | "status">,
  note: () => Promise<void>,
): Promise<void> => {
  try {
    await note();
  } catch (error) {
    log("audit_failed", { at, operation, status, error: error instanceof Error ? error.message : String(error) });
  }
};
