import { type Env, inboxOn } from "../env.ts";
import type { Sender } from "../types/mail.ts";
import { inboxSender } from "./inbox.ts";

/** The sender of this environment. Undefined when none is configured: mail stays queued. */
export const configuredSender = (env: Env): Sender | undefined =>
  inboxOn(env) ? inboxSender(env.INBOX_STORE) : undefined;

/** The reason why no mail leaves this host; undefined when mail leaves. */
export const whyNoMailLeaves = (env: Env): string | undefined =>
  inboxOn(env)
    ? "no mail leaves: the local inbox (INBOX=1) is the only sender"
    : "no mail leaves: no sender is configured, accepted mail stays queued";
