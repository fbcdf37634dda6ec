import * as z from "zod";

const count = z.int().min(0);

/**
 * Answer of the email service to `POST /admin/teams/{team}/forget`. Not part of the v1 API: the bridge reads it where its host
 * is this email service.
 */
export const forgotten = z.object({
  success: z.literal(true),
  dryRun: z.boolean(),
  /** False while a mail that names the person is in flight, or the inbox gives no answer: repeat the request. */
  finished: z.boolean(),
  /** The addresses of the person whose sends were erased, lower case. */
  addresses: z.array(z.string()),
  /**
   * `discarded`: mails that are not sent any more. `mails`: captured mails in the local inbox. `outgoingWebhooks`: stored events
   * for endpoints of the team; left out where there are none.
   */
  erased: z.object({
    contacts: count,
    events: count,
    sends: count,
    discarded: count,
    mails: count,
    outgoingWebhooks: count.optional(),
  }),
  /** What stays: a suppressed address as its digest, so that no mail is sent to it. */
  kept: z.object({ suppressions: count }),
  /** In a dry run: what a real run would leave. */
  notReached: z.array(z.string()).optional(),
  message: z.string(),
});

export type ForgottenAtHost = z.output<typeof forgotten>;

/** The team that an API key of this email service names; undefined for a key of another host. */
export const teamNamedIn = (key: string): string | undefined => /^ms_([a-z0-9-]{1,32})_[0-9a-z]{32}_/.exec(key)?.[1];
