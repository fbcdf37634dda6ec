import type { Message } from "../../../types/mail-handover.ts";

/** These mail providers replace the return path, so only this field identifies the send in their webhooks. */
const FIELDS: readonly { host: RegExp; field(token: string): string }[] = [
  // https://postmarkapp.com/support/article/1125-custom-metadata-faq
  { host: /(^|\.)postmarkapp\.com$/, field: (token) => `X-PM-Metadata-send: ${token}` },
  // https://www.twilio.com/docs/sendgrid/for-developers/sending-email/unique-arguments
  { host: /(^|\.)sendgrid\.net$/, field: (token) => `X-SMTPAPI: {"unique_args":{"send":"${token}"}}` },
  // https://documentation.mailgun.com/docs/mailgun/user-manual/sending-messages/send-smtp
  { host: /(^|\.)mailgun\.org$/, field: (token) => `X-Mailgun-Variables: {"send":"${token}"}` },
  // https://resend.com/docs/dashboard/emails/custom-headers. SMTP cannot set tags.
  { host: /(^|\.)resend\.com$/, field: (token) => `X-Entity-Ref-ID: ${token}` },
];

/** Adds the header field that the mail provider at this host repeats in webhooks. */
export const withMetadata = (message: Message, host: string): Message => {
  const { token, raw } = message;
  const known = FIELDS.find((one) => one.host.test(host.toLowerCase()));
  if (!known || token === undefined) return message;
  const field = new TextEncoder().encode(`${known.field(token)}\r\n`);
  const bytes = new Uint8Array(field.length + raw.length);
  bytes.set(field);
  bytes.set(raw, field.length);
  return { ...message, raw: bytes };
};
