import { readStandardHeaders, standard } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

/** @see https://stytch.com/docs/api/user-object */
export type StytchUser = {
  user_id: string;
  emails: { email_id?: string; email: string; verified: boolean }[];
  name?: { first_name: string; middle_name?: string; last_name: string };
  status?: string;
};

/** A person in one organization. @see https://stytch.com/docs/b2b/api/member-object */
export type StytchMember = {
  member_id: string;
  organization_id: string;
  email_address: string;
  email_address_verified: boolean;
  name?: string;
  status?: string;
};

type Fields = {
  project_id: string;
  event_id: string;
  action: string;
  object_type: string;
  source: string;
  id: string;
  timestamp: string;
};
type Event<Type extends string, Data> = { type: Type } & Fields & Data;

type From = "direct" | "dashboard" | "scim";
type FromUser = Exclude<From, "scim">;

/** Events of deleted objects do not contain the object. */
type StytchEvent =
  | Event<`${FromUser}.user.create` | `${FromUser}.user.update`, { user: StytchUser }>
  | Event<`${FromUser}.user.delete`, unknown>
  | Event<`${From}.member.create` | `${From}.member.update`, { member: StytchMember }>
  | Event<`${From}.member.delete`, unknown>;

const RANKS: ReadonlyMap<string, number> = new Map([
  ["create", 1],
  ["update", 2],
  ["delete", 3],
]);

/**
 * The id prefix of a test environment.
 * @see https://stytch.com/docs/workspace-management/api-keys
 */
const TEST_ENVIRONMENT = "project-test-";

const read = readEvent<StytchEvent>({
  what: "a Stytch event",
  id: "event_id",
  type: ["source", "object_type", "action"],
  time: [["timestamp", "iso"]],
  test: ({ project_id }) => typeof project_id === "string" && project_id.startsWith(TEST_ENVIRONMENT),
});

/**
 * Stytch sends through Svix. The event type is source, object and action, such as `direct.user.create`.
 * @see https://stytch.com/docs/workspace-management/webhooks
 */
export const stytch: Handler<StytchEvent> = {
  provider: "stytch",
  about: { title: "Stytch", secret: "STYTCH_WEBHOOK_SECRET", setUp: "Webhooks → endpoint → Signing secret" },
  scheme: standard(["svix", "webhook"]),
  read: async (request, content, now) => {
    const { digest: _, ...envelope } = await read(request, content, now);
    const type = envelope.type.toLowerCase();
    const id = readStandardHeaders(request.headers, ["svix", "webhook"]).id ?? envelope.id;
    return { ...envelope, id, type, body: { ...envelope.body, type } as StytchEvent };
  },
  rank: (type) => RANKS.get(type.slice(type.lastIndexOf(".") + 1)) ?? 0,
};
