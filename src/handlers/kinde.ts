import type { Handler } from "../webhook.ts";
import { readEvent } from "./event.ts";

type Event<Type extends string, Data> = {
  type: Type;
  event_id: string;
  event_timestamp?: string;
  timestamp: string;
  source: string;
  data: Data;
};
type User = { id: string; email: string | null; first_name: string | null; last_name: string | null };

/** The events rules are usually on. */
export type KindeEvent =
  | Event<"user.created" | "user.updated", { user: User }>
  | Event<"user.deleted" | "user.authenticated", { user: { id: string } }>
  | Event<"access_request.created", { access_request: { email: string } }>
  | Event<"subscriber.created", { subscriber: { email: string } }>;

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
};
