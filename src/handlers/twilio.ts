import { hmacOfBody } from "../lib/signature/schemes.ts";
import { isObject } from "../lib/util/json.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

/** The fields of a form, all strings. Phone numbers, no email address. `type`: the status of a message or call. */
type TwilioEvent = {
  type: string;
  MessageSid?: string;
  CallSid?: string;
  MessageStatus?: string;
  CallStatus?: string;
  From?: string;
  To?: string;
  /** Why a message failed, such as `30003`. */
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

/** The fields as they are signed: values of one name are sorted and equal ones counted once. */
const signedFields = (content: unknown): unknown => {
  if (!isObject(content)) return content;
  const values = (value: unknown) => {
    // Fields of a form are texts. A JSON body may have lists of anything.
    if (!Array.isArray(value) || value.some((one) => typeof one !== "string")) return value;
    const [one, ...more] = [...new Set(value)].sort();
    return more.length === 0 ? one : [one, ...more];
  };
  return Object.fromEntries(Object.entries(content).map(([name, value]) => [name, values(value)]));
};

/**
 * Twilio: `X-Twilio-Signature`, an HMAC-SHA1 in base64 with the auth token. It signs the URL and the sorted form
 * fields; for a JSON body the URL alone, which then contains `bodySHA256`. The signed URL may contain the port or not.
 * The answer is empty, because Twilio would read a body as TwiML.
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
