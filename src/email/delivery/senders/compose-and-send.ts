import { type Message, mimeOf } from "../../mail/mime/mime-message.ts";
import type { Mail, MessageSender, Sender } from "../../types/mail-handover.ts";
import type { Configured } from "./definition.ts";

type Finished = { message: Message; token?: string } | { problem: string };

/** Signs a message and sets its return path. `problem`: missing setup. */
export type Finish = (message: Message, mail: Mail, sender: Pick<MessageSender, "replaces">) => Promise<Finished>;

export const mailSender = (configured: Configured | undefined, finish: Finish): Sender | undefined =>
  configured && ("inbox" in configured ? configured.inbox : composing(configured.sender, finish));

const composing = (sender: MessageSender, finish: Finish): Sender => ({
  name: sender.name,
  async send(mail) {
    const composed = mimeOf(mail);
    if ("unsendable" in composed) {
      const { message } = composed.unsendable;
      return { outcome: "refused", about: "content", local: true, message };
    }
    const finished: Finished = sender.signs ? composed : await signed(finish(composed.message, mail, sender));
    if ("problem" in finished) {
      return { outcome: "deferred", configuration: true, local: true, message: finished.problem };
    }
    const { message, ...named } = finished;
    const { bytes: raw, envelope, needsSmtpUtf8: smtpUtf8 } = message;
    return sender.send({ id: mail.id, raw, envelope, smtpUtf8, ...named });
  },
});

const signed = async (finishing: ReturnType<Finish>): ReturnType<Finish> => {
  try {
    return await finishing;
  } catch (error) {
    return { problem: `The mail could not be signed: ${error instanceof Error ? error.message : String(error)}` };
  }
};
