import type { Refusal } from "../../../lib/contract/errors.ts";
import type { Reply } from "../../../lib/contract/mount.ts";
import { isoOf } from "../../../lib/util/dates.ts";
import { digest } from "../../../lib/util/hmac.ts";
import type { Env } from "../env.ts";
import { MAX_PASSKEYS, type NotAdded, type Person } from "../logins/people.ts";
import { adminTokenOf, audit, loginsOf } from "../person.ts";
import { creationOptions, readNew, type Site, siteOf } from "./ceremony.ts";
import { isChallenge, newChallenge } from "./challenge.ts";
import type { NotProved } from "./passkey.ts";

/** Verifies a new passkey and uses up its challenge. */
export const newPasskey = async (env: Env, site: Site, credential: unknown, use: string, now: number) => {
  const admin = adminTokenOf(env);
  if ("refusal" in admin) return admin;
  let challenge = "";
  const read = await readNew(site, credential, (given) => {
    challenge = given;
    return isChallenge(admin.token, use, given, now);
  });
  if ("refusal" in read) return read;
  return (await loginsOf(env).takeCode(await digest(challenge), now)) ? read : { refusal: USED };
};

export const openInvite = async (
  env: Env,
  request: Request,
  secret: string,
  now: number,
): Promise<Reply | NotProved> => {
  const site = siteOf(request);
  if ("refusal" in site) return site;
  const admin = adminTokenOf(env);
  if ("refusal" in admin) return admin;
  const hash = await digest(secret);
  const found = await loginsOf(env).invited(hash, now);
  if (!found) return overNow(env, hash);
  const { name, role, invitedBy, expires, passkeys } = found;
  const challenge = await newChallenge(admin.token, `invite ${hash}`, now);
  const options = await creationOptions(site, found, passkeys, challenge);
  return { status: 200, body: { name, role, invitedBy, expiresAt: isoOf(expires), options } };
};

export const acceptInvite = async (
  env: Env,
  request: Request,
  { invite: secret, passkey: credential }: { invite: string; passkey: unknown },
  now: number,
): Promise<{ person: Person } | NotProved> => {
  const site = siteOf(request);
  if ("refusal" in site) return site;
  const hash = await digest(secret);
  const read = await newPasskey(env, site, credential, `invite ${hash}`, now);
  if ("refusal" in read) return read;
  const person = await loginsOf(env).accept(hash, { ...read.passkey, name: undefined }, now);
  if (person === "gone") return overNow(env, hash);
  if (typeof person === "string") return { refusal: NOT_ADDED[person] };
  const { id: personId, name } = person;
  await audit(env, request, {
    at: now,
    who: name,
    operation: "dashboard.invites.accept",
    ids: { personId },
    status: 201,
  });
  return { person };
};

const overNow = async (env: Env, hash: string): Promise<NotProved> =>
  (await loginsOf(env).wasUsed(hash)) ? { refusal: INVITE_USED, isNoGuess: true } : { refusal: INVITE_USED };

export const NO_SUCH_PERSON: Refusal = {
  code: "not_found",
  path: "personId",
  message: "personId: there is no person with this id.",
};
const INVITE_USED: Refusal = {
  code: "invite_used",
  path: "invite",
  message: "invite: this link was used or replaced, or is older than 24 hours. Ask an owner for a new one.",
};
const USED: Refusal = {
  code: "wrong_passkey",
  path: "passkey",
  message: "passkey: this answer was used before. Begin again.",
};
export const NOT_ADDED: Readonly<Record<NotAdded, Refusal>> = {
  gone: NO_SUCH_PERSON,
  known: { code: "wrong_passkey", path: "passkey", message: "passkey: it is in use here already. Make another one." },
  full: {
    code: "too_many_passkeys",
    message: `A person has at most ${MAX_PASSKEYS} passkeys. Revoke one of them first.`,
  },
};
