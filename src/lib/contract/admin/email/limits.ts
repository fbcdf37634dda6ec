import * as z from "zod";
import { read } from "../../operation.ts";
import { team } from "./email-fields.ts";

const ceiling = z.object({
  class: z.string(),
  kind: z.enum(["account", "domain"]),
  /** The account at a mail provider, or the domain or large provider of the recipients. */
  destination: z.string(),
  perMinute: z.int(),
  inFlight: z.int(),
  since: z.string(),
  throttledAt: z.string(),
  /** Time when the limit is dropped unless something throttles again. */
  endsAt: z.string(),
  meaning: z.string(),
});

const breaker = z.object({
  sender: z.string(),
  domain: z.string().optional(),
  since: z.string(),
  nextAttemptAt: z.string(),
  meaning: z.string(),
});

/** `used`: mails in the current `per`. `nextMailAt`: earliest time for a marketing mail. */
const sendLimit = z.object({
  per: z.enum(["second", "hour", "day"]),
  limit: z.int(),
  used: z.int(),
  left: z.int(),
  nextMailAt: z.string(),
  meaning: z.string(),
});

export const limits = {
  list: read("viewer", {
    path: "/teams/{team}/limits",
    summary: "List what keeps mail of a team waiting: ceilings, mail providers that do not answer and send limits",
    request: z.strictObject({ team }),
    response: z.object({ ceilings: z.array(ceiling), breakers: z.array(breaker), sending: z.array(sendLimit) }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme" },
  }),
};
