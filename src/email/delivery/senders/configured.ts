import { EmailMessage } from "cloudflare:email";
import type { Env } from "../../env.ts";
import type { MailClass } from "../../types/mail.ts";
import { cloudflareSender } from "./cloudflare.ts";
import type { Configured } from "./composed.ts";
import { inboxSender } from "./inbox.ts";
import { connect, https, timers } from "./runtime.ts";
import { sesSender } from "./ses.ts";
import { readChoice } from "./settings.ts";
import type { Account } from "./smtp/accounts.ts";
import { LIMITS } from "./smtp/limits.ts";
import { createPool, type Pool } from "./smtp/pool.ts";
import { smtpSender } from "./smtp/sender.ts";

/** Returns the sender of a mail class and From domain. Undefined if none is configured: mail waits. */
export type Senders = (mailClass: MailClass, domain: string) => Configured | undefined;

/** SMTP sockets belong to the calling object only. */
export const configuredSenders = (env: Env): Senders => {
  const choices = { transactional: readChoice(env, "transactional"), marketing: readChoice(env, "marketing") };
  let pools: readonly Pool[] | undefined;
  const poolsOf = (accounts: readonly Account[]): readonly Pool[] => {
    pools ??= accounts.map((account) => createPool(account, { connect, timers, limits: LIMITS }));
    return pools;
  };
  return (mailClass, from) => {
    const choice = choices[mailClass];
    if (!choice || "problem" in choice) return undefined;
    if (choice.sender === "inbox") return { inbox: inboxSender(env.INBOX_STORE) };
    if (choice.sender === "smtp") return { relay: smtpSender(poolsOf(choice.accounts), mailClass, from) };
    if (choice.sender === "ses") return { relay: sesSender(choice.settings, https) };
    return { relay: cloudflareSender({ send: (mail) => choice.binding.send(mail), message }) };
  };
};

const message = (from: string, to: string, raw: ReadableStream) => new EmailMessage(from, to, raw);
