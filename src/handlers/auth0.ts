import { sharedSecret } from "../lib/signature/schemes.ts";
import type { Handler } from "../webhook.ts";
import { readEvent } from "./event.ts";

type User = {
  user_id: string;
  email?: string;
  email_verified?: boolean;
  given_name?: string;
  family_name?: string;
  name?: string;
  created_at?: string;
  updated_at?: string;
};

/** The events rules are usually on. */
export type Auth0Event = {
  type: "user.created" | "user.updated" | "user.deleted";
  id: string;
  time: string;
  data: { object: User };
  a0purpose?: string;
};

/**
 * Auth0 event streams: CloudEvents, proven by the bearer token of the stream. A refusal (4xx) is never sent again, and
 * a stream that keeps failing is switched off.
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
  read: readEvent({
    what: "an Auth0 event",
    id: "id",
    type: "type",
    time: [["time", "iso"]],
    test: ({ a0purpose }) => a0purpose === "test",
  }),
};
