import { standard, standardHeaders } from "../lib/signature/schemes.ts";
import type { Handler } from "../webhook.ts";
import { readEvent } from "./event.ts";

/** A change of an object; for a user, `user` with `emails`. */
export type StytchEvent = {
  type: string;
  project_id: string;
  event_id: string;
  action: string;
  object_type: string;
  source: string;
  id: string;
  timestamp: string;
  user?: {
    user_id: string;
    emails: { email: string; verified: boolean }[];
    name?: { first_name: string; last_name: string };
  };
};

const read = readEvent<StytchEvent>({
  what: "a Stytch event",
  id: "event_id",
  type: ["source", "object_type", "action"],
  time: [["timestamp", "iso"]],
});

/**
 * Stytch: sent by Svix. The type is made of source, object and action, as `direct.user.create`.
 * @see https://stytch.com/docs/workspace-management/webhooks
 */
export const stytch: Handler<StytchEvent> = {
  provider: "stytch",
  about: { title: "Stytch", secret: "STYTCH_WEBHOOK_SECRET", setUp: "Webhooks → endpoint → Signing secret" },
  scheme: standard(["svix", "webhook"]),
  read: async (request, content, now) => {
    const { digest: _, ...envelope } = await read(request, content, now);
    const type = envelope.type.toLowerCase();
    const id = standardHeaders(request.headers, ["svix", "webhook"]).id ?? envelope.id;
    return { ...envelope, id, type, body: { ...envelope.body, type } };
  },
};
