import { hmacOfBody } from "../lib/signature/schemes.ts";
import { isObject } from "../lib/util/json.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

/** Form fields, all strings. `type`: the status of a message or call. */
type TwilioEvent = {
  type: string;
  MessageSid?: string;
  CallSid?: string;
  MessageStatus?: string;
  CallStatus?: string;
  From?: string;
  To?: string;
  ErrorCode?: string;
  Body?: string;
};

const signed = { hash: "SHA-1", encoding: "base64" } as const;

const read = readEvent<TwilioEvent>({
  what: "a Twilio webhook",
  unsignedId: { header: "I-Twilio-Idempotency-Token" },
  type: ["MessageStatus", "CallStatus"],
  otherwise: "unknown",
});
const readMessage = readEvent<TwilioEvent>({
  what: "a Twilio webhook",
  id: ["MessageSid", "MessageStatus"],
  type: "MessageStatus",
});

/** Values of one name are sorted and deduplicated before signing. */
const signedFields = (content: unknown): unknown => {
  if (!isObject(content)) return content;
  const values = (value: unknown) => {
    if (!Array.isArray(value) || value.some((one) => typeof one !== "string")) return value;
    const [one, ...more] = [...new Set(value)].sort();
    return more.length === 0 ? one : [one, ...more];
  };
  return Object.fromEntries(Object.entries(content).map(([name, value]) => [name, values(value)]));
};

/**
 * Twilio: base64 HMAC-SHA1 of URL and sorted fields; for JSON, of the URL with `bodySHA256`. The empty answer avoids
 * TwiML.
 * @see https://www.twilio.com/docs/usage/webhooks/webhooks-security
 */
export const twilio: Handler<TwilioEvent> = {
  provider: "twilio",
  about: { title: "Twilio", secret: "TWILIO_AUTH_TOKEN", setUp: "Console → Account → Auth Token" },
  scheme: {
    kind: "any",
    of: [
      hmacOfBody("X-Twilio-Signature", {
        ...signed,
        content: ["{url}{params}", "{urlWithoutPort}{params}", "{urlWithPort}{params}"],
      }),
      hmacOfBody("X-Twilio-Signature", {
        ...signed,
        content: ["{url}", "{urlWithoutPort}", "{urlWithPort}"],
        bodyHash: { query: "bodySHA256" },
      }),
    ],
  },
  format: "json or form",
  accepted: { status: 204 },
  read: async (request, content, now) => {
    const fields = signedFields(content);
    const { MessageSid, MessageStatus } = Object(fields) as Partial<TwilioEvent>;
    return MessageSid && MessageStatus ? readMessage(request, fields, now) : read(request, fields, now);
  },
};
