import type { Role } from "../../../lib/contract/access.ts";
import type { Refusal } from "../../../lib/contract/errors.ts";
import type { Reply } from "../../../lib/contract/mount.ts";
import { isoOf, isoOrNull } from "../../../lib/util/dates.ts";
import { digest } from "../../../lib/util/hmac.ts";
import { hasAccess } from "../access.ts";
import type { Env } from "../env.ts";
import { INVITE_MS, type Listed, MAX_PEOPLE, type NewPerson } from "../logins/people.ts";
import type { Session } from "../logins.ts";
import { adminTokenOf, audit, loginsOf } from "../person.ts";
import { creationOptions, siteOf } from "./ceremony.ts";
import { newChallenge } from "./challenge.ts";
import { NO_SUCH_PERSON, NOT_ADDED, newPasskey } from "./invites.ts";
import { codeHash, newRecoveryCodes } from "./passkey.ts";

type Asked = { env: Env; request: Request; now: number; person: Session; input: unknown };
type Run = (asked: Asked) => Promise<Reply>;

const refuse = (refusal: Refusal): Reply => ({ refusal });
const ok = (body: unknown, status: 200 | 201 = 200): Reply => ({ status, body });

const newSecret = async (): Promise<{ secret: string; hash: string }> => {
  const secret = crypto.getRandomValues(new Uint8Array(32)).toHex();
  return { secret, hash: await digest(secret) };
};

/** Cloudflare Access gives addresses in lower case. */
const nameIn = (name: string): string => (name.includes("@") ? name.toLowerCase() : name);

const shownPasskey = ({ id, name, created, used, synced }: Listed["passkeys"][number]) => ({
  id,
  name,
  createdAt: isoOf(created),
  lastUsedAt: isoOrNull(used),
  synced: synced === 1,
});

const list: Run = async ({ env, now, person: me }) => {
  const all = await loginsOf(env).people();
  const data = all.map(({ id, name, role, created, by, seen, until, passkeys, recoveryCodes }) => {
    const isMe = id === me.person;
    const isShown = isMe || me.role === "owner";
    return {
      id,
      name,
      role,
      isMe,
      createdAt: isoOf(created),
      invitedBy: by,
      lastSeenAt: isoOrNull(seen),
      invitedUntil: until !== null && until > now ? isoOf(until) : null,
      passkeys: isShown ? passkeys.map(shownPasskey) : null,
      recoveryCodes: isShown ? recoveryCodes : null,
    };
  });
  return ok({ data });
};

const newId = (): string => `per_${crypto.getRandomValues(new Uint8Array(12)).toHex()}`;

/** An inviting owner gets an entry, because then only listed people have a role. */
const inviterOf = (env: Env, { via, person, who }: Session): NewPerson | undefined =>
  via === "access" && person === null && env.ACCESS_ROLE === undefined
    ? { id: newId(), name: who, role: "owner", by: who }
    : undefined;

const invite: Run = async ({ env, request, now, person: me, input }) => {
  const { name: given, role } = input as { name: string; role: Role };
  const name = nameIn(given);
  if (hasAccess(env) && !name.includes("@")) return refuse(NO_ADDRESS);
  const id = newId();
  const { secret, hash } = await newSecret();
  const inviter = inviterOf(env, me);
  const added = await loginsOf(env).invite({ id, name, role, by: me.who }, hash, now, inviter);
  if (added === "exists") return refuse(EXISTS);
  if (added === "full") return refuse(TOO_MANY_PEOPLE);
  await noteOf({ env, request, now, person: me }, "people.invite", { personId: id, name, role });
  if (inviter && inviter.name !== name)
    await noteOf({ env, request, now, person: me }, "people.invite", {
      personId: inviter.id,
      name: inviter.name,
      role: inviter.role,
    });
  return ok({ id, name, role, invite: secret, expiresAt: isoOf(now + INVITE_MS) }, 201);
};

const inviteAgain: Run = async ({ env, request, now, person: me, input }) => {
  const { personId: id } = input as { personId: string };
  const { secret, hash } = await newSecret();
  const found = await loginsOf(env).inviteAgain(id, hash, me.who, now);
  if (!found) return refuse(NO_SUCH_PERSON);
  const { name, role } = found;
  await noteOf({ env, request, now, person: me }, "people.inviteAgain", { personId: id, name });
  return ok({ id, name, role, invite: secret, expiresAt: isoOf(now + INVITE_MS) }, 201);
};

const update: Run = async ({ env, request, now, person: me, input }) => {
  const { personId: id, role } = input as { personId: string; role: Role };
  const found = await loginsOf(env).setRole(id, role);
  if (!found) return refuse(NO_SUCH_PERSON);
  await noteOf({ env, request, now, person: me }, "people.update", { personId: id, name: found.name, role });
  return ok({ id, name: found.name, role });
};

const remove: Run = async ({ env, request, now, person: me, input }) => {
  const { personId: id } = input as { personId: string };
  const found = await loginsOf(env).removePerson(id);
  if (!found) return refuse(NO_SUCH_PERSON);
  await noteOf({ env, request, now, person: me }, "people.remove", { personId: id, name: found.name });
  return ok({ success: true });
};

/** Valid for one session. */
const useOf = ({ hash }: Session): string => `passkey ${hash}`;

const options: Run = async ({ env, request, now, person: me }) => {
  const site = siteOf(request);
  if ("refusal" in site) return site;
  if (me.person === null) return refuse(NO_PERSON);
  const admin = adminTokenOf(env);
  if ("refusal" in admin) return admin;
  const own = await loginsOf(env).passkeys(me.person);
  const challenge = await newChallenge(admin.token, useOf(me), now);
  return ok({ options: await creationOptions(site, { id: me.person, name: me.who }, own, challenge) });
};

const add: Run = async ({ env, request, now, person: me, input }) => {
  const { passkey: credential, name } = input as { passkey: unknown; name?: string };
  const site = siteOf(request);
  if ("refusal" in site) return site;
  if (me.person === null) return refuse(NO_PERSON);
  const read = await newPasskey(env, site, credential, useOf(me), now);
  if ("refusal" in read) return read;
  const added = await loginsOf(env).addPasskey(me.person, { ...read.passkey, name }, now);
  if (typeof added === "string") return refuse(NOT_ADDED[added]);
  await noteOf({ env, request, now, person: me }, "passkeys.add", { name: added.name });
  return ok(shownPasskey(added), 201);
};

const removePasskey: Run = async ({ env, request, now, person: me, input }) => {
  const { passkeyId } = input as { passkeyId: string };
  const found = await loginsOf(env).passkey(passkeyId);
  // Only an owner sees passkeys of others.
  if (!found || (found.person.id !== me.person && me.role !== "owner")) return refuse(NO_SUCH_PASSKEY);
  await loginsOf(env).removePasskey(passkeyId, found.person, me.hash, me.person);
  await noteOf({ env, request, now, person: me }, "passkeys.remove", {
    person: found.person.name,
    name: found.passkey.name,
  });
  return ok({ success: true });
};

const createRecoveryCodes: Run = async ({ env, request, now, person: me }) => {
  if (me.person === null) return refuse(NO_PERSON);
  const codes = newRecoveryCodes();
  await loginsOf(env).setRecoveryCodes(me.person, await Promise.all(codes.map(codeHash)));
  await noteOf({ env, request, now, person: me }, "recoveryCodes.create", {});
  return ok({ codes }, 201);
};

export const peopleOperations: Readonly<Record<string, Run>> = {
  "people.list": list,
  "people.invite": invite,
  "people.inviteAgain": inviteAgain,
  "people.update": update,
  "people.remove": remove,
  "passkeys.options": options,
  "passkeys.add": add,
  "passkeys.remove": removePasskey,
  "recoveryCodes.create": createRecoveryCodes,
};

const noteOf = (
  { env, request, now: at, person: { who } }: Omit<Asked, "input">,
  name: string,
  ids: Record<string, string>,
): Promise<void> => audit(env, request, { at, who, operation: `dashboard.${name}`, ids, status: 200 });

const NO_SUCH_PASSKEY: Refusal = {
  code: "not_found",
  path: "passkeyId",
  message: "passkeyId: there is no passkey with this id, or it is not yours.",
};
const EXISTS: Refusal = {
  code: "person_exists",
  path: "name",
  message:
    "name: a person with this name, or one that looks the same, is in the list. Make a new link for that one, or use another name.",
};
const NO_ADDRESS: Refusal = {
  code: "invalid_request",
  path: "name",
  message: "name: must be the address that Cloudflare Access gives: by it the person gets the role of this entry.",
};
const TOO_MANY_PEOPLE: Refusal = {
  code: "too_many_people",
  message: `There are ${MAX_PEOPLE} people already. Remove one of them first.`,
};
const NO_PERSON: Refusal = {
  code: "no_person",
  message: "This login has no entry in the list of people. Invite yourself, and open the link to make a passkey.",
};
