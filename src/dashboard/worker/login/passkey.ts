import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import type { Refusal } from "../../../lib/contract/errors.ts";
import { digest } from "../../../lib/util/hmac.ts";
import type { Env } from "../env.ts";
import type { Person } from "../logins/people.ts";
import type { Session } from "../logins.ts";
import { audit, loginsOf } from "../person.ts";
import { readUsed, requestOptions, siteOf } from "./ceremony.ts";
import { isChallenge, newChallenge } from "./challenge.ts";

type Asked = { env: Env; request: Request; now: number; token: string };
/** `isNoted`: audited. `isNoGuess`: right once, so no attempt. */
export type NotProved = { refusal: Refusal; isNoted?: true; isNoGuess?: true };
type Found = { person: Person } | NotProved;

/** Proof challenges are valid for one session. */
const useOf = (session: Session | undefined): string => (session ? `proof ${session.hash}` : "login");

/** Returns options for a login or proof. */
export const loginOptions = async (
  { env, request, now, token }: Asked,
  session: Session | undefined,
): Promise<{ options: object } | { refusal: Refusal }> => {
  const site = siteOf(request);
  if ("refusal" in site) return site;
  const own = session?.person ? await loginsOf(env).passkeys(session.person) : [];
  if (session && own.length === 0) return { refusal: NO_PASSKEY };
  return { options: await requestOptions(site, own, await newChallenge(token, useOf(session), now)) };
};

/** Returns the passkey's person. `session` is set for a proof. */
export const byPasskey = async (
  { env, request, now, token }: Asked,
  credential: AuthenticationResponseJSON,
  session?: Session,
): Promise<Found> => {
  const site = siteOf(request);
  if ("refusal" in site) return site;
  const known = await loginsOf(env).passkey(credential.id);
  if (!known || (session && known.person.id !== session.person)) return { refusal: UNKNOWN };
  let challenge = "";
  const isOurs = (given: string): Promise<boolean> => {
    challenge = given;
    return isChallenge(token, useOf(session), given, now);
  };
  const used = await readUsed(site, credential, known.passkey, isOurs);
  if ("refusal" in used) return used;
  if (!(await loginsOf(env).takeCode(await digest(challenge), now))) return { refusal: USED };
  if (await loginsOf(env).usePasskey(credential.id, used.counter, used.synced, now)) return { person: known.person };
  const ids = { passkey: known.passkey.name };
  await audit(env, request, {
    at: now,
    who: known.person.name,
    operation: "dashboard.session.create",
    ids,
    status: 401,
  });
  return { refusal: COPIED, isNoted: true };
};

/** Capitals and digits without look-alike characters. */
const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODES = 10;
const GROUPS = 4;
const IN_GROUP = 5;

/** Hashes a code independent of its spelling. */
export const codeHash = (code: string): Promise<string> =>
  digest(
    code
      .toUpperCase()
      .replaceAll("O", "0")
      .replaceAll(/[IL]/g, "1")
      .replaceAll(/[^0-9A-Z]/g, ""),
  );

/** Creates ten codes of 100 random bits each. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: CODES }, () => {
    const random = crypto.getRandomValues(new Uint8Array(GROUPS * IN_GROUP));
    const letters = Array.from(random, (byte) => LETTERS[byte % LETTERS.length]).join("");
    return (letters.match(/.{5}/g) ?? []).join("-");
  });

export const byRecoveryCode = async ({ env, request, now }: Asked, code: string): Promise<Found> => {
  const person = await loginsOf(env).takeRecoveryCode(await codeHash(code));
  if (!person) return { refusal: WRONG_CODE };
  const operation = "dashboard.recoveryCodes.use";
  await audit(env, request, { at: now, who: person.name, operation, ids: {}, status: 201 });
  return { person };
};

const NO_PASSKEY: Refusal = {
  code: "no_person",
  message: "This login has no passkey. Give the admin token instead.",
};
const UNKNOWN: Refusal = {
  code: "wrong_passkey",
  path: "passkey",
  message: "passkey: it is not known here. It was revoked, or it is of another person or another dashboard.",
};
const USED: Refusal = {
  code: "wrong_passkey",
  path: "passkey",
  message: "passkey: this answer was used before. Begin again.",
};
const COPIED: Refusal = {
  code: "wrong_passkey",
  path: "passkey",
  message: "passkey: its counter went back, so there may be a copy of it. Revoke it, and log in with another one.",
};
const WRONG_CODE: Refusal = {
  code: "wrong_recovery_code",
  path: "recovery",
  message: "recovery: no such code. Each of them works once.",
};
