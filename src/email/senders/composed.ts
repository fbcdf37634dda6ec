import { composeMessage } from "../mime/compose.ts";
import type { RelaySender, Sender } from "../types/mail.ts";

/** What delivers mail of a class: the inbox, which takes mails as they are, or a relay, which takes messages. */
export type Configured = { inbox: Sender } | { relay: RelaySender };

/** A configured sender as one that takes mails: what goes to a relay is composed first. */
export const mailSender = (configured: Configured | undefined): Sender | undefined =>
  configured && ("inbox" in configured ? configured.inbox : composing(configured.relay));

const composing = ({ name, send }: RelaySender): Sender => ({
  name,
  async send(mail) {
    const composed = composeMessage(mail);
    if ("unsendable" in composed) return { outcome: "refused", about: "content", message: composed.unsendable.message };
    const { bytes: raw, envelope, needsSmtpUtf8: smtpUtf8 } = composed.message;
    return send({ id: mail.id, raw, envelope, smtpUtf8 });
  },
});
