import { INBOX_NAME, type InboxRpc } from "../../types/inbox-rpc.ts";
import type { MailClass } from "../../types/mail-handover.ts";
import type { Configured } from "./definition.ts";
import { workersRuntime } from "./runtime.ts";
import { readChoice, type SenderEnv } from "./settings.ts";

/** Returns the sender of a mail class and From domain. Undefined if none is configured: mail waits. */
export type Senders = (mailClass: MailClass, domain: string) => Configured | undefined;

type Env = SenderEnv & { INBOX_STORE: { getByName(name: string): Pick<InboxRpc, "capture"> } };

/** SMTP sockets belong to the calling object only. */
export const configuredSenders = (env: Env): Senders => {
  const capture: InboxRpc["capture"] = (mail) => env.INBOX_STORE.getByName(INBOX_NAME).capture(mail);
  const created = (mailClass: MailClass) => {
    const choice = readChoice(env, mailClass);
    return choice && "sender" in choice
      ? choice.sender.create(choice.settings, { ...workersRuntime, capture }, mailClass)
      : undefined;
  };
  const all = { transactional: created("transactional"), marketing: created("marketing") };
  return (mailClass, domain) => all[mailClass]?.(domain);
};
