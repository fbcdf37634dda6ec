import { sharedSecret } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import { valueAt } from "../lib/webhook/shape.ts";
import type { Handler } from "../webhook.ts";

type Party = { id: string; type: string; alternateId?: string; displayName?: string };

export type OktaEvent = {
  type: string;
  uuid: string;
  eventType: string;
  published: string;
  actor: Party;
  target?: Party[];
};

/**
 * Okta event hooks: a shared `Authorization` value. A new hook is checked with a GET challenge.
 * @see https://developer.okta.com/docs/concepts/event-hooks/
 */
export const okta: Handler<OktaEvent> = {
  provider: "okta",
  about: {
    title: "Okta event hooks",
    secret: "OKTA_WEBHOOK_SECRET",
    setUp: "Workflow → Event Hooks → Authentication secret: yours to choose",
  },
  scheme: sharedSecret,
  freeSecret: true,
  items: (content) => {
    const events = valueAt(content, "data.events");
    if (!Array.isArray(events)) throw new Error("The body is not an Okta event hook: data.events must be a list.");
    return events;
  },
  endpointCheck: {
    method: "GET",
    answer: async ({ headers }) => {
      const verification = headers.get("x-okta-verification-challenge");
      return verification ? { status: 200, body: JSON.stringify({ verification }) } : undefined;
    },
  },
  read: readEvent({ what: "an Okta event", id: "uuid", type: "eventType", time: [["published", "iso"]] }),
};
