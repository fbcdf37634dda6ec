import { type Env, inboxOn } from "../env.ts";
import type { Sender } from "../types/mail.ts";
import { inboxSender } from "./inbox.ts";

/** The sender this environment configures; undefined when mail has nowhere to go and stays queued. */
export const configuredSender = (env: Env): Sender | undefined =>
  inboxOn(env) ? inboxSender(env.INBOX_STORE) : undefined;

/** Why no mail leaves; undefined when it does. */
export const whyNoMailLeaves = (env: Env): string | undefined =>
  inboxOn(env)
    ? "no mail leaves: the local inbox (INBOX=1) is the only sender"
    : "no mail leaves: no sender is configured, accepted mail stays queued";
