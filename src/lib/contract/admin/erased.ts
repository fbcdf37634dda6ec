import * as z from "zod";

const count = z.int().min(0);

/** Answer to `POST /admin/teams/{team}/erase`. The bridge reads it if it delivers to this email service. */
export const erased = z.object({
  success: z.literal(true),
  dryRun: z.boolean(),
  /** False while a mail of the person is in flight or the inbox does not answer. Repeat the request. */
  finished: z.boolean(),
  /** Addresses with erased sends, in lower case. */
  addresses: z.array(z.string()),
  /** `mails`: in the local inbox. `outgoingWebhooks`: absent if there are none. */
  erased: z.object({
    contacts: count,
    events: count,
    sends: count,
    discarded: count,
    mails: count,
    outgoingWebhooks: count.optional(),
  }),
  /** A suppressed address stays as its digest, so that no mail is sent to it. */
  kept: z.object({ suppressions: count }),
  /** In a dry run: data that a real run would leave. */
  notReached: z.array(z.string()).optional(),
  message: z.string(),
});

export type ErasedAtService = z.output<typeof erased>;

/** Returns the team in an API key of this email service; undefined for other keys. */
export const teamNamedIn = (key: string): string | undefined => /^ms_([a-z0-9-]{1,32})_[0-9a-z]{32}_/.exec(key)?.[1];
