import * as z from "zod";
import { email } from "../../email.ts";
import { namingOneContact, resourceId, userId } from "../../fields.ts";
import { act, read } from "../../operation.ts";
import { flag, team } from "./email-fields.ts";

const who = { team, email: email.optional(), userId: userId.optional() };

const setting = z.object({
  contact: z.object({ id: z.string(), email: z.string().nullable(), userId: z.string().nullable() }),
  tracked: z.boolean(),
});

export const tracking = {
  get: read("viewer", {
    path: "/teams/{team}/tracking",
    summary: "Whether opens and clicks of a contact are measured",
    request: namingOneContact(z.strictObject(who)),
    response: setting,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", email: "ada@example.com" },
  }),

  /** Earlier measurements stay. */
  set: act("support", {
    method: "POST",
    path: "/teams/{team}/tracking",
    summary: "Have opens and clicks of a contact measured, or not",
    danger: false,
    request: namingOneContact(z.strictObject({ ...who, tracked: flag })),
    response: setting,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", email: "ada@example.com", tracked: false },
  }),

  /**
   * Each mail counts once: `opened` and `clicked` by people, `prefetched` by a privacy proxy, `scanned` by a program.
   */
  message: read("viewer", {
    path: "/teams/{team}/messages/{emailMessageId}/engagement",
    summary: "How many mails of a message were opened and clicked",
    request: z.strictObject({ team, emailMessageId: resourceId }),
    response: z.object({ opened: z.int(), clicked: z.int(), prefetched: z.int(), scanned: z.int() }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", emailMessageId: "msg_1" },
  }),
};
