import type { AdminContract } from "../../../lib/contract/admin/email.ts";
import type { Response } from "../../../lib/contract/operation.ts";
import { publicUrlOf } from "../../../lib/util/public-url.ts";
import { VERSION } from "../../../lib/version.ts";
import { inboxOn } from "../../delivery/senders/inbox/inbox.ts";
import { marketingObstacle, readChoice } from "../../delivery/senders/settings.ts";
import { type Env, LOCAL_MAIL_DOMAIN } from "../../env.ts";
import type { MailClass } from "../../types/mail-handover.ts";

/** Returns the configuration without secrets. */
export const aboutNow = (env: Env): Response<AdminContract["about"]["get"]> => ({
  version: VERSION,
  senders: { transactional: senderOf(env, "transactional"), marketing: senderOf(env, "marketing") },
  mailDomain: env.MAIL_DOMAIN || LOCAL_MAIL_DOMAIN,
  inbox: inboxOn(env),
  publicUrl: publicUrlOf(env) ?? null,
  uploads: env.UPLOADS !== undefined,
});

const senderOf = (env: Env, mailClass: MailClass) => {
  const choice = readChoice(env, mailClass);
  if (!choice) return { sender: null, title: null, why: "no sender is configured" };
  if ("problem" in choice) return { sender: null, title: null, why: choice.problem };
  const { name, title, local } = choice.sender;
  const needsAddress = mailClass === "marketing" && !local;
  return { sender: name, title, why: (needsAddress ? marketingObstacle(env) : undefined) ?? null };
};
