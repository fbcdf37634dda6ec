import * as z from "zod";
import { operation } from "../../operation.ts";
import { team, time } from "./fields.ts";
import { sendStates } from "./sends.ts";

/** Mails that were accepted in the hour that begins at `hour`, by the state that they have now. Previews are left out. */
const sendsOfHour = z.strictObject({ hour: z.string(), state: z.enum(sendStates), count: z.int() });

/** Kinds of what needs a person. */
export const attentionKinds = [
  "campaign_held",
  "unknown_mails",
  "domain_broken",
  "domain_pending",
  "domain_missing",
  "sender_not_ready",
  "relay_failing",
  "webhook_disabled",
] as const;

/** `text`: what is wrong and what helps, in words. `ids`: of what it is about, by kind, such as `campaign`. */
const attention = z.strictObject({
  kind: z.enum(attentionKinds),
  text: z.string(),
  ids: z.record(z.string(), z.string()),
});

/** Kinds of what a search finds, in the order of the answer. */
export const searchKinds = [
  "contact",
  "transactionalEmail",
  "list",
  "segment",
  "campaign",
  "workflow",
  "property",
  "send",
] as const;

/** `name`: of a contact its address, else its user id; of a send its recipient. `id` of a property: its name, and `name` its label. */
const found = z.strictObject({
  kind: z.enum(searchKinds),
  id: z.string(),
  name: z.string(),
  detail: z.string().nullable(),
});

export const overview = {
  /**
   * `sends`: no entry where the count is 0. One request counts a bounded number of mails, newest hours first. `countedSince`: the start of
   * the first hour that is counted; while it is later than `since`, another request counts more. `running`: what is sending.
   */
  get: operation({
    method: "GET",
    path: "/teams/{team}/overview",
    summary: "Show a team's mails by the hour, what is sending, and what needs a person",
    request: z.strictObject({
      team,
      /** At most 7 days ago; 24 hours ago by default. */
      since: time.optional(),
    }),
    response: z.strictObject({
      sends: z.array(sendsOfHour),
      countedSince: z.string(),
      running: z.strictObject({ campaigns: z.int(), workflows: z.int() }),
      attention: z.array(attention),
    }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme" },
  }),
  /** At most five of each kind, in the order of `searchKinds`. A send is found by its whole id. */
  search: operation({
    method: "GET",
    path: "/teams/{team}/search",
    summary: "Find people, mails and everything with a name by its beginning",
    request: z.strictObject({
      team,
      /** The beginning of an address, a user id, a name, a word of a name, or an id. */
      q: z.string("is required").trim().min(1, "must not be empty").max(500, "must be at most 500 characters"),
    }),
    response: z.strictObject({ data: z.array(found) }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", q: "ada@" },
  }),
};
