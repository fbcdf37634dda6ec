import { type BackAddresses, type Message, mimeOf } from "../../mail/mime/mime-message.ts";
import type { Mail, MessageSender, Sender } from "../../types/mail-handover.ts";
import type { Configured } from "./definition.ts";

type Problem = { problem: string };

/** `back`: addresses that the mail names. `sign` sets the return path, too. */
type Prepared = { token?: string; back?: BackAddresses; sign(message: Message): Promise<Message> };

/** Prepares the signature of a mail. `problem`: missing setup. */
export type Finish = (mail: Mail, sender: Pick<MessageSender, "replaces">) => Promise<Prepared | Problem>;

export const mailSender = (configured: Configured | undefined, finish: Finish): Sender | undefined =>
  configured && ("inbox" in configured ? configured.inbox : composing(configured.sender, finish));

const composing = (sender: MessageSender, finish: Finish): Sender => ({
  name: sender.name,
  async send(mail) {
    const composed = await compose(mail, sender, finish);
    if ("unsendable" in composed) {
      const { message } = composed.unsendable;
      return { outcome: "refused", about: "content", local: true, message };
    }
    if ("problem" in composed) {
      return { outcome: "deferred", configuration: true, local: true, message: composed.problem };
    }
    const { message, ...named } = composed;
    const { bytes: raw, envelope, needsSmtpUtf8: smtpUtf8 } = message;
    return sender.send({ id: mail.id, raw, envelope, smtpUtf8, ...named });
  },
});

const compose = async (
  mail: Mail,
  sender: MessageSender,
  finish: Finish,
): Promise<ReturnType<typeof mimeOf> | { message: Message; token?: string } | Problem> => {
  if (sender.signs) return mimeOf(mail);
  try {
    const prepared = await finish(mail, sender);
    if ("problem" in prepared) return prepared;
    const { back, sign, ...named } = prepared;
    const composed = mimeOf(mail, back);
    return "unsendable" in composed ? composed : { message: await sign(composed.message), ...named };
  } catch (error) {
    return { problem: `The mail could not be signed: ${error instanceof Error ? error.message : String(error)}` };
  }
};
