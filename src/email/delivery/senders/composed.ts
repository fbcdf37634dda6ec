import { composeMessage, type Message } from "../../mail/mime/compose.ts";
import type { Mail, RelaySender, Sender } from "../../types/mail.ts";
import type { Configured } from "./definition.ts";

type Finished = { message: Message; token?: string } | { problem: string };

/** Signs a message and sets its return path. `problem`: missing setup. */
export type Finish = (message: Message, mail: Mail, relay: Pick<RelaySender, "replaces">) => Promise<Finished>;

export const mailSender = (configured: Configured | undefined, finish: Finish): Sender | undefined =>
  configured && ("inbox" in configured ? configured.inbox : composing(configured.relay, finish));

const composing = (relay: RelaySender, finish: Finish): Sender => ({
  name: relay.name,
  async send(mail) {
    const composed = composeMessage(mail);
    if ("unsendable" in composed) {
      const { message } = composed.unsendable;
      return { outcome: "refused", about: "content", local: true, message };
    }
    const finished: Finished = relay.signs ? composed : await signed(finish(composed.message, mail, relay));
    if ("problem" in finished) {
      return { outcome: "deferred", configuration: true, local: true, message: finished.problem };
    }
    const { message, ...named } = finished;
    const { bytes: raw, envelope, needsSmtpUtf8: smtpUtf8 } = message;
    return relay.send({ id: mail.id, raw, envelope, smtpUtf8, ...named });
  },
});

const signed = async (finishing: ReturnType<Finish>): ReturnType<Finish> => {
  try {
    return await finishing;
  } catch (error) {
    return { problem: `The mail could not be signed: ${error instanceof Error ? error.message : String(error)}` };
  }
};
