import { readStandardHeaders, standard } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

/** The fields of `user.*` are unconfirmed. */
export type PropelAuthEvent = {
  type: string;
  event_type: string;
  user_id?: string;
  email?: string;
  email_confirmed?: boolean;
  first_name?: string | null;
  last_name?: string | null;
};

const read = readEvent<PropelAuthEvent>({ what: "a PropelAuth event", type: "event_type" });

/** PropelAuth sends through Svix, according to a community library; no documentation was found. */
export const propelAuth: Handler<PropelAuthEvent> = {
  provider: "propelauth",
  about: {
    title: "PropelAuth",
    secret: "PROPELAUTH_WEBHOOK_SECRET",
    setUp: "Integrations → Webhooks → Signing secret",
    unconfirmed: true,
  },
  scheme: standard(["svix", "webhook"]),
  read: async (request, content, now) => {
    const { digest: _, ...envelope } = await read(request, content, now);
    return { ...envelope, id: readStandardHeaders(request.headers, ["svix", "webhook"]).id ?? envelope.id };
  },
};
