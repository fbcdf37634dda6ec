import * as z from "zod";
import { page } from "../../fields.ts";
import { read } from "../../operation.ts";
import { team, time } from "./email-fields.ts";
import { sendStates } from "./sends.ts";

const sendsOfHour = z.strictObject({ hour: z.string(), state: z.enum(sendStates), count: z.int() });

const attentionKinds = [
  "campaign_held",
  "bounce_wave",
  "unknown_mails",
  "domain_broken",
  "domain_pending",
  "domain_missing",
  "sender_not_ready",
  "sender_failing",
  "webhook_disabled",
  "storage_filling",
] as const;

const attention = z.strictObject({
  kind: z.enum(attentionKinds),
  text: z.string(),
  ids: z.record(z.string(), z.string()),
});

const searchKinds = [
  "contact",
  "transactionalEmail",
  "list",
  "segment",
  "campaign",
  "workflow",
  "property",
  "send",
] as const;

const found = z.strictObject({
  kind: z.enum(searchKinds),
  id: z.string(),
  name: z.string(),
  detail: z.string().nullable(),
});

export const overview = {
  /**
   * One request counts a limited number of mails, newest hours first. Repeat while `countedSince` is later than
   * `since`.
   */
  get: read("viewer", {
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
  /**
   * Returns at most ten people and mails, and five of each other kind. One request looks at a bounded number of rows;
   * repeat with `next` until it is null.
   */
  search: read("viewer", {
    path: "/teams/{team}/search",
    summary: "Find people by name, address, domain or user id, mails by subject, and everything with a name",
    request: z.strictObject({
      team,
      q: z.string("is required").trim().min(1, "must not be empty").max(500, "must be at most 500 characters"),
      cursor: page.cursor,
    }),
    response: z.strictObject({ data: z.array(found), next: z.string().nullable(), rowsRead: z.int() }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", q: "lovelace" },
  }),
};
