import * as z from "zod";
import { page, resourceId } from "../../fields.ts";
import { act, read } from "../../operation.ts";
import { team } from "./email-fields.ts";

const decisions = ["suppress", "resend", "keep"] as const;

/**
 * Equal answers of one destination that addresses do not exist. `cause`: their words. `decision`: null before a
 * person chose. `changed`: addresses suppressed, or mails sent again. `leftOut`: those that were not, by reason. `done`: all
 * were reached.
 */
export const wave = z.strictObject({
  id: z.string(),
  destination: z.string(),
  cause: z.string(),
  meaning: z.string(),
  since: z.string(),
  mails: z.int(),
  campaigns: z.array(z.strictObject({ id: z.string(), name: z.string() })),
  decision: z.enum(decisions).nullable(),
  decisionAt: z.string().nullable(),
  changed: z.int(),
  leftOut: z.record(z.string(), z.int()),
  done: z.boolean(),
});

export const waves = {
  /** Newest first. Waves are kept for 30 days. */
  list: read("viewer", {
    path: "/teams/{team}/waves",
    summary: "List waves: equal answers of one destination that addresses do not exist",
    request: z.strictObject({ team, ...page }),
    response: z.object({ data: z.array(wave), next: z.string().nullable() }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", perPage: "20" },
  }),

  /**
   * `suppress`: the addresses do not exist. `resend`: they are good, and their campaign mails are sent again. `keep`: none
   * is suppressed, and nothing is sent again; `suppress` and `resend` may follow it. Held campaigns go on.
   */
  decide: act("editor", {
    method: "POST",
    path: "/teams/{team}/waves/{waveId}/decide",
    summary: "Decide about the addresses of a wave, and let its campaigns go on",
    danger: ({ decision }) => decision !== "keep",
    request: z.strictObject({
      team,
      waveId: resourceId,
      decision: z.enum(decisions, `must be one of ${decisions.join(", ")}`),
    }),
    response: wave,
    status: 200,
    refusals: [400, 404, 409],
    example: { team: "acme", waveId: "wav_5", decision: "resend" },
  }),
};
