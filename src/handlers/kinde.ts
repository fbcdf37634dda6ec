import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

type Event<Type extends string, Data> = {
  type: Type;
  event_id: string;
  event_timestamp?: string;
  timestamp: string;
  /** Who did it: the person, somebody of the team, or the team's own code. */
  source: "user" | "admin" | "api";
  data: Data;
};
export type KindeUser = {
  id: string;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  phone?: string | null;
  username?: string | null;
  is_suspended?: boolean;
};

/**
 * The events rules are usually on.
 * @see https://docs.kinde.com/integrate/webhooks/add-manage-webhooks/
 */
type KindeEvent =
  | Event<"user.created" | "user.updated", { user: KindeUser }>
  | Event<"user.deleted" | "user.authenticated", { user: { id: string } }>
  | Event<"access_request.created", { access_request: { email: string; user_id?: string } }>
  | Event<"subscriber.created", { subscriber: { id?: string; email: string } }>
  | Event<
      "organization.created" | "organization.updated" | "organization.deleted",
      { organization: { code: string; name?: string } }
    >;

/** The time may have whole seconds. */
const RANKS: ReadonlyMap<string, number> = new Map([
  ["user.created", 1],
  ["user.updated", 2],
  ["user.deleted", 3],
]);

/**
 * Kinde: the body is a JSON Web Token, signed by the keys of your Kinde domain; that domain is the source's "secret".
 * It wants exactly 200.
 * @see https://docs.kinde.com/integrate/webhooks/about-webhooks/
 */
export const kinde: Handler<KindeEvent> = {
  provider: "kinde",
  about: {
    title: "Kinde",
    secret: "KINDE_DOMAIN",
    setUp: "Settings → Application: your domain, `https://<yours>.kinde.com`",
  },
  scheme: { kind: "jwt", at: "body", keys: { jwks: "https://{secret}/.well-known/jwks.json" } },
  format: "token",
  accepted: { status: 200 },
  read: readEvent({
    what: "a Kinde event",
    // As the body's own id: a replay with another webhook-id, which is not signed, is still a duplicate.
    id: "event_id",
    type: "type",
    time: [
      ["event_timestamp", "iso"],
      ["timestamp", "iso"],
    ],
  }),
  rank: (type) => RANKS.get(type) ?? 0,
};
