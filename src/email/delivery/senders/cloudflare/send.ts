import type { Handover, Message, MessageSender, RefusedCopy } from "../../../types/mail-handover.ts";
import { handoverAfter, handoverAs, type Meaning } from "../meaning.ts";

export type CloudflareEmail = {
  send(message: EmailMessage): Promise<{ messageId?: string }>;
  message(from: string, to: string, raw: ReadableStream): EmailMessage;
};

/**
 * Sends through Cloudflare Email Service, which replaces Message-ID and Date, signs by DKIM and owns the return path.
 * https://developers.cloudflare.com/email-service/api/send-emails/workers-api/
 */
export const cloudflareSender = ({ send, message: toEmail }: CloudflareEmail): MessageSender => {
  const one = async ({ raw }: Message, from: string, to: string): Promise<Handover> => {
    const stream = new Response(raw as Uint8Array<ArrayBuffer>).body;
    if (!stream) return { outcome: "refused", about: "content", local: true, message: "The message is empty." };
    try {
      const { messageId = "" } = await send(toEmail(from, to, stream));
      return { outcome: "accepted", reply: messageId };
    } catch (error) {
      return handoverOf(error);
    }
  };
  return {
    name: "cloudflare",
    signs: true,
    async send(message) {
      // Cloudflare requires the From address here, so the signed return path cannot be used.
      const from = fromAddress(message.raw) ?? message.envelope.from;
      const [main, ...others] = message.envelope.to;
      if (main === undefined)
        return { outcome: "refused", about: "content", local: true, message: "The envelope has no recipient." };
      const handover = await one(message, from, main);
      if (handover.outcome !== "accepted") return handover;
      // One suppressed recipient makes Cloudflare refuse the whole mail, so each copy is a separate mail.
      const refusedCopies: RefusedCopy[] = [];
      for (const to of others) {
        const copy = await one(message, from, to);
        if (copy.outcome !== "accepted") refusedCopies.push({ to, message: copy.message });
      }
      return { ...handover, ...(refusedCopies.length > 0 ? { refusedCopies } : {}) };
    },
  };
};

const fromAddress = (raw: Uint8Array): string | undefined => {
  const text = new TextDecoder().decode(raw.subarray(0, MAX_HEADER));
  const [header = ""] = text.split("\r\n\r\n");
  const [, value = ""] = /^From:((?:.|\r\n[ \t])*)/im.exec(header) ?? [];
  return /<([^<>\s]+)>\s*$/.exec(value)?.[1] ?? /^\s*([^\s<>"]+@[^\s<>"]+)\s*$/.exec(value)?.[1];
};

const MAX_HEADER = 65_536;

const handoverOf = (error: unknown): Handover => {
  const { code, message = String(error) } = (error ?? {}) as { code?: unknown; message?: string };
  if (typeof code !== "string") return handoverAfter(error, "Cloudflare");
  const meaning = MEANINGS[code];
  const said = `Cloudflare answered ${code}: ${message}`.slice(0, 500);
  if (meaning === undefined) return { outcome: "unknown", message: `Cloudflare may have accepted the mail. ${said}` };
  return handoverAs(meaning, said);
};

/**
 * Cloudflare suppresses an address after a bounce or a complaint: it takes no more mail, whatever we send. An unlisted code
 * is an unknown outcome.
 */
const MEANINGS: Record<string, Meaning> = {
  E_VALIDATION_ERROR: "content",
  E_FIELD_MISSING: "content",
  E_CONTENT_TOO_LARGE: "content",
  E_TOO_MANY_RECIPIENTS: "content",
  E_TOO_MANY_ATTACHMENTS: "content",
  E_HEADER_NOT_ALLOWED: "content",
  E_HEADER_USE_API_FIELD: "content",
  E_HEADER_VALUE_INVALID: "content",
  E_HEADER_VALUE_TOO_LONG: "content",
  E_HEADER_NAME_INVALID: "content",
  E_HEADERS_TOO_LARGE: "content",
  E_HEADERS_TOO_MANY: "content",
  E_SENDER_NOT_VERIFIED: "configuration",
  E_SENDER_DOMAIN_NOT_AVAILABLE: "configuration",
  E_RECIPIENT_NOT_ALLOWED: "policy",
  E_RECIPIENT_SUPPRESSED: "recipient",
  E_DELIVERY_FAILED: "deferred",
  E_RATE_LIMIT_EXCEEDED: "throttled",
  E_DAILY_LIMIT_EXCEEDED: "throttled",
};
