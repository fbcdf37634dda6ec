import * as z from "zod";
import { email } from "../../../email.ts";
import { eventName, propertyValue, resourceId, userId } from "../../../fields.ts";
import { question, read } from "../../../operation.ts";
import { team, time } from "../email-fields.ts";
import { diff } from "./diff.ts";
import { here, versions } from "./waiting-contacts.ts";

const workflow = { team, workflowId: resourceId };

const contact = z.string().min(1, "must not be empty").max(500, "must be at most 500 characters");

const reason = z.object({ code: z.string(), text: z.string() });
const line = z.object({ at: z.string(), nodeId: z.string().nullable(), text: z.string() });
const identity = { id: z.string(), email: z.string().nullable() };

const contactValues = z
  .object({ mailingLists: z.record(z.string(), z.boolean("must be true or false")).optional() })
  .catchall(propertyValue);
const counts = z.record(z.string(), z.int());
const ids = z.array(resourceId).max(100, "must have at most 100 entries");

const MAX_DAYS = 730;
const days = (most: number, usual: number) => {
  const message = `must be a number of days, more than 0 and at most ${most}`;
  return z.number(message).positive(message).max(most, message).default(usual);
};

const event = z.strictObject({
  name: eventName,
  properties: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).default({}),
});

export const insight = {
  diff,
  here,
  versions,

  /** `runs`: newest first, at most 20. `entry`: reason why the contact does not enter. */
  explain: read("viewer", {
    path: "/teams/{team}/workflows/{workflowId}/contacts/{contact}",
    summary: "Explain what happened to one contact in a workflow, or why it did not enter",
    request: z.strictObject({ ...workflow, contact }),
    response: z.object({
      contact: z.object({ ...identity, userId: z.string().nullable() }),
      runs: z.array(reason.extend({ run: z.int(), enteredAt: z.string(), lines: z.array(line) })),
      entry: reason.extend({ lines: z.array(line.omit({ nodeId: true })) }),
    }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", workflowId: "wfl_1", contact: "ada@example.com" },
  }),

  /**
   * Simulates the workflow for one contact. Without `event`, the trigger fires. `assume`: changes by number of days
   * after the entry.
   */
  simulate: question("viewer", {
    path: "/teams/{team}/workflows/{workflowId}/simulate",
    summary: "Play a workflow for one contact through the coming days, without sending anything",
    request: z.strictObject({
      ...workflow,
      contact: contact.optional(),
      properties: contactValues.extend({ email: email.optional(), userId: userId.optional() }).optional(),
      event: event.optional(),
      assume: z
        .record(z.string(), contactValues.extend({ opened: ids.optional(), clicked: ids.optional() }))
        .default({}),
      days: days(MAX_DAYS, 60),
      at: time.optional(),
    }),
    response: z.object({
      entered: z.boolean(),
      reason: reason.optional(),
      lines: z.array(line.extend({ day: z.number() })),
      mails: z.array(
        z.object({
          at: z.string(),
          day: z.number(),
          nodeId: z.string(),
          emailMessageId: z.string(),
          subject: z.string(),
          isSent: z.boolean(),
          text: z.string(),
        }),
      ),
      end: reason.nullable(),
    }),
    status: 200,
    refusals: [400, 404],
    mayBeEmpty: true,
    example: {
      team: "acme",
      workflowId: "wfl_1",
      contact: "ada@example.com",
      event: { name: "signedUp" },
      assume: { "3": { firstName: "Ada" } },
    },
  }),

  /** Replays stored events of the last days; `days` may be a fraction. `entered` counts runs. */
  dryRun: question("viewer", {
    path: "/teams/{team}/workflows/{workflowId}/dry-run",
    summary: "Play the events of the last days through a workflow, without sending anything",
    request: z.strictObject({ ...workflow, days: days(30, 1) }),
    response: z.object({
      from: z.string(),
      until: z.string(),
      events: z.int(),
      entered: z.int(),
      notEntered: counts,
      mails: z.array(z.object({ nodeId: z.string(), subject: z.string(), count: z.int(), notSent: z.int() })),
      ended: counts,
      waiting: z.array(z.object({ nodeId: z.string(), text: z.string(), count: z.int() })),
      contacts: z.array(z.object({ ...identity, text: z.string() })),
      notes: z.array(z.string()),
    }),
    status: 200,
    refusals: [400, 404],
    mayBeEmpty: true,
    example: { team: "acme", workflowId: "wfl_2", days: 7 },
  }),
};
