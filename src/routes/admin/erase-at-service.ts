import type { Env } from "../../env.ts";
import { ApiError, type createClient } from "../../lib/client.ts";
import { type ErasedAtService, erased, teamNamedIn } from "../../lib/contract/admin/erased.ts";
import { readAnswerText } from "../../lib/contract/body.ts";
import { email } from "../../lib/contract/email.ts";
import { userId } from "../../lib/contract/fields.ts";
import { unsafeAddress } from "../../outbox/model/config.ts";

export type Identifier = { email: string } | { userId: string };
type Client = Pick<ReturnType<typeof createClient>, "contacts">;

/** Result of the erasure. `erased`: absent if sends were not reached. `finished`: false if a repeat may do more. */
export type AtService = { finished: boolean; erased?: ErasedAtService["erased"]; message: string };

/** Bytes. */
const MAX_ANSWER = 100_000;

/** Headers that name the acting operator for the audit there. */
type Actor = Record<string, string>;

type Admin = { send: (identifiers: readonly Identifier[], dryRun: boolean) => Promise<Response> };

/** Returns the email service's admin API. Only the email Worker gets ADMIN_TOKEN; others get EMAIL_ADMIN_TOKEN. */
export const adminOfService = (env: Env, actor: Actor = {}): Admin | { missing: string } => {
  const { EMAIL, EMAIL_API_URL = "", EMAIL_API_KEY = "", EMAIL_ADMIN_TOKEN, ADMIN_TOKEN } = env;
  const isOther = EMAIL_API_URL !== "";
  const token = EMAIL_ADMIN_TOKEN || (isOther ? undefined : ADMIN_TOKEN);
  const team = teamNamedIn(EMAIL_API_KEY);
  if (team === undefined) return { missing: "the v1 API has no way to erase them" };
  if (!token) return { missing: "EMAIL_ADMIN_TOKEN, which opens the admin API of this email service, is not set" };
  const unsafe = isOther ? unsafeAddress(EMAIL_API_URL) : undefined;
  if (unsafe !== undefined) return { missing: unsafe };
  const base = isOther ? EMAIL_API_URL.replace(/\/+$/, "").replace(/\/v1$/, "") : "http://email";
  const send = isOther ? fetch : EMAIL?.fetch.bind(EMAIL);
  if (!send) return { missing: "there is no email Worker beside the bridge" };
  return {
    send: (identifiers, dryRun) =>
      send(`${base}/admin/teams/${team}/erase`, {
        method: "POST",
        headers: { ...(isOther ? {} : actor), Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        body: JSON.stringify({ ...listsOf(identifiers), dryRun }),
        redirect: "manual",
        signal: AbortSignal.timeout(10_000),
      }),
  };
};

/** Erases contact, events and sends, or the contact only. Repeatable. */
export const eraseAtService = async (
  env: Env,
  client: Client,
  identifiers: readonly Identifier[],
  { dryRun, actor }: { dryRun: boolean; actor: Actor },
): Promise<AtService> => {
  const admin = adminOfService(env, actor);
  let missing: string;
  if ("missing" in admin) missing = admin.missing;
  else {
    const answers = await eraseByAdmin(admin, identifiers, dryRun);
    if (!("missing" in answers)) return answers;
    missing = answers.missing;
  }
  const notReached = `Its sends were not reached: ${missing}.`;
  if (dryRun) return { finished: true, message: `The email service would delete the contact. ${notReached}` };
  const { finished, message } = await deleteContacts(client, identifiers);
  return { finished, message: `${message} ${notReached}` };
};

/** The email service has no data for identifiers that it refuses. */
const listsOf = (identifiers: readonly Identifier[]) => ({
  emails: identifiers.flatMap((one) => ("email" in one && email.safeParse(one.email).success ? one.email : [])),
  userIds: identifiers.flatMap((one) => ("userId" in one && userId.safeParse(one.userId).success ? one.userId : [])),
});

const eraseByAdmin = async (
  { send }: Admin,
  identifiers: readonly Identifier[],
  dryRun: boolean,
): Promise<AtService | { missing: string }> => {
  let status: number;
  let text: string | undefined;
  try {
    const response = await send(identifiers, dryRun);
    status = response.status;
    text = await readAnswerText(response, MAX_ANSWER);
  } catch {
    return { finished: false, message: "The email service gave no answer." };
  }
  const body = jsonOf(text ?? "");
  const answer = erased.safeParse(body);
  if (status === 200 && answer.success) {
    const { finished, erased, message } = answer.data;
    return { finished, erased, message: `The email service: ${message}` };
  }
  const { code } = (body ?? {}) as { code?: unknown };
  if (status === 401 && code === "invalid_api_key")
    return { missing: "its admin API refuses the token; set EMAIL_ADMIN_TOKEN of the bridge to its ADMIN_TOKEN" };
  if (status === 404 && code === "not_found")
    return { missing: "its admin API has no team of this key, or no erasure yet" };
  return { finished: false, message: `Something answered ${status}, but not as the email service does.` };
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Requests of an event: the free plan allows 50. */
const MOST_DELETIONS = 40;

const deleteContacts = async (
  { contacts }: Client,
  identifiers: readonly Identifier[],
): Promise<{ finished: boolean; message: string }> => {
  const failures: string[] = [];
  let deleted = 0;
  for (const identifier of identifiers.slice(0, MOST_DELETIONS)) {
    try {
      await contacts.delete(identifier);
      deleted++;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) continue;
      failures.push(error instanceof Error ? error.message : String(error));
    }
  }
  if (identifiers.length > MOST_DELETIONS)
    failures.push(`The person has ${identifiers.length} identifiers; only ${MOST_DELETIONS} were removed.`);
  if (failures.length > 0) {
    const message = `The contact could not be removed from the email service (${failures.join(" ")}). Once it is removed there, with POST /v1/contacts/delete, finish without service: true.`;
    return { finished: false, message };
  }
  return {
    finished: true,
    message:
      deleted > 0
        ? "The contact was removed from the email service too."
        : "The email service has no contact of this person.",
  };
};
