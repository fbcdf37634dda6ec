import * as z from "zod";
import { operation } from "../../operation.ts";
import { team } from "./fields.ts";

/** The most mail of a class that may leave to a place, as throttling answers have taught it. */
const ceiling = z.object({
  class: z.string(),
  kind: z.enum(["account", "domain"]),
  /** The account at a relay, or the domain or large provider of the recipients. */
  place: z.string(),
  perMinute: z.int(),
  inFlight: z.int(),
  since: z.string(),
  throttledAt: z.string(),
  /** When the ceiling is forgotten, if nothing throttles until then. */
  endsAt: z.string(),
  meaning: z.string(),
});

/** A relay that does not answer. `domain`: a setting keeps mail from this domain from leaving; absent where the relay does not answer. */
const breaker = z.object({
  relay: z.string(),
  domain: z.string().optional(),
  since: z.string(),
  nextAttemptAt: z.string(),
  meaning: z.string(),
});

/** A send limit of the team. `used`: mails in the `per` that ends now. `nextMailAt`: when a marketing mail may leave; now if it may. */
const sendLimit = z.object({
  per: z.enum(["second", "hour", "day"]),
  limit: z.int(),
  used: z.int(),
  left: z.int(),
  nextMailAt: z.string(),
  meaning: z.string(),
});

export const limits = {
  list: operation({
    method: "GET",
    path: "/teams/{team}/limits",
    summary: "List what keeps mail of a team waiting: ceilings, relays that do not answer and send limits",
    request: z.strictObject({ team }),
    response: z.object({ ceilings: z.array(ceiling), breakers: z.array(breaker), sending: z.array(sendLimit) }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme" },
  }),
};
