import { sharedSecret } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

/** @see https://auth0.github.io/node-auth0/interfaces/management.Management.EventStreamCloudEventUserUpdatedObject.html */
export type Auth0User = {
  user_id: string;
  email?: string;
  email_verified?: boolean;
  given_name?: string;
  family_name?: string;
  name?: string;
  nickname?: string;
  phone_number?: string;
  phone_verified?: boolean;
  blocked?: boolean;
  created_at?: string;
  updated_at?: string;
};

type Event<Type extends string, Data> = { type: Type; id: string; time: string; data: Data; a0purpose?: string };

type Auth0Event =
  | Event<"user.created" | "user.deleted", { object: Auth0User }>
  | Event<
      "organization.member.added" | "organization.member.deleted",
      { object: { organization: { id: string; name?: string }; user: { user_id: string } } }
    >
  | Event<
      "organization.member.role.assigned" | "organization.member.role.deleted",
      {
        object: {
          organization: { id: string; name?: string };
          user: { user_id: string };
          role: { id: string; name?: string };
        };
      }
    >
  | Event<"user.updated", { object: Auth0User; previous_object?: Auth0User }>;

/** Some times are whole seconds; the rank orders events within one second. */
const RANKS: ReadonlyMap<string, number> = new Map([
  ["user.created", 1],
  ["user.updated", 2],
  ["user.deleted", 3],
]);

const read = readEvent<Auth0Event>({
  what: "an Auth0 event",
  id: "id",
  type: "type",
  time: [["time", "iso"]],
  test: ({ a0purpose }) => a0purpose === "test",
});

/**
 * Auth0 event streams: CloudEvents with a bearer token. Auth0 does not retry a 4xx. `com.auth0.user.created` is read
 * as `user.created`.
 * @see https://auth0.com/docs/customize/events/create-an-event-stream
 */
export const auth0: Handler<Auth0Event> = {
  provider: "auth0",
  about: {
    title: "Auth0 event streams",
    secret: "AUTH0_WEBHOOK_SECRET",
    setUp: "Event Streams → stream → Authorization token: yours to choose",
  },
  scheme: sharedSecret,
  freeSecret: true,
  read: async (request, content, now) => {
    const envelope = await read(request, content, now);
    const type = envelope.type.replace(/^com\.auth0\.(?=.)/, "");
    return { ...envelope, type, body: { ...envelope.body, type } as Auth0Event };
  },
  rank: (type) => RANKS.get(type) ?? 0,
};
