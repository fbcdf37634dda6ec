import { AwsClient } from "aws4fetch";
import * as z from "zod";
import { isAscii } from "../../../../lib/util/email-key.ts";
import type { Handover, Message, MessageSender } from "../../../types/mail-handover.ts";
import type { Https } from "../definition.ts";
import { handoverAfter, handoverAs, type Meaning } from "../meaning.ts";

export type SesSettings = {
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  configurationSet?: string;
};

const TIMEOUT_MS = 30_000;

/**
 * Sends through Amazon SES, which replaces Message-ID and lacks idempotency keys.
 * https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html
 */
export const sesSender = (settings: SesSettings, { fetch, now, timeout }: Https): MessageSender => {
  const { region, accessKeyId, secretAccessKey } = settings;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "ses", retries: 0 });
  const url = `https://email.${region}.amazonaws.com/v2/email/outbound-emails`;
  return {
    name: "ses",
    // https://docs.aws.amazon.com/ses/latest/dg/send-email-authentication-dkim-manual.html
    replaces: ["Message-ID", "Date"],
    async send(message) {
      if (!message.envelope.to.every(isAscii)) return NOT_ASCII;
      const request = await client.sign(url, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(bodyOf(message, settings)),
        redirect: "manual",
        signal: timeout(TIMEOUT_MS),
        aws: { datetime: new Date(now()).toISOString().replace(/[:-]|\.\d{3}/g, "") },
      });
      try {
        const response = await fetch(request);
        return handoverOf(response.status, response.headers, await response.text());
      } catch (error) {
        return handoverAfter(error, "SES");
      }
    },
  };
};

/**
 * SES lacks SMTPUTF8, and its answer BadRequestException would look like a general fault of our requests.
 * https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_Destination.html
 */
const NOT_ASCII: Handover = {
  outcome: "refused",
  about: "content",
  local: true,
  message: "The mail needs SMTPUTF8 for an address that is not ASCII, and SES does not offer it.",
};

const bodyOf = ({ id, raw, envelope, token }: Message, { configurationSet }: SesSettings) => ({
  // SES sends to these recipients only, not to those in headers.
  Destination: { ToAddresses: envelope.to.slice(0, 1), BccAddresses: envelope.to.slice(1) },
  Content: { Raw: { Data: base64(raw) } },
  // SES notifications repeat the tag, which identifies the send.
  EmailTags: [{ Name: "send", Value: token ?? id }],
  ...(configurationSet ? { ConfigurationSetName: configurationSet } : {}),
});

const CHUNK = 0x8000;
const base64 = (bytes: Uint8Array): string => {
  let binary = "";
  for (let at = 0; at < bytes.length; at += CHUNK) binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(binary);
};

const accepted = z.object({ MessageId: z.string().min(1) });
const refused = z.object({
  message: z.string().optional(),
  Message: z.string().optional(),
  __type: z.string().optional(),
});

const handoverOf = (status: number, headers: Headers, text: string): Handover => {
  const body = parse(text);
  if (status === 200) {
    const { data } = accepted.safeParse(body);
    return data ? { outcome: "accepted", reply: data.MessageId } : unknown("its answer has no MessageId");
  }
  const { data } = refused.safeParse(body);
  // "MessageRejected:http://…" in the header, "com.amazonaws.ses#MessageRejected" in the body.
  const raw = headers.get("x-amzn-errortype") ?? data?.__type ?? "";
  const type = (/([A-Za-z]+)(?::|$)/.exec(raw)?.[1] ?? "").replace(/Exception$/, "");
  const said = `SES answered ${status} ${type}: ${data?.message ?? data?.Message ?? ""}`.slice(0, 500);
  const meaning = NOT_VERIFIED.test(said) ? "configuration" : MEANINGS[type];
  if (meaning === undefined || status < 400) {
    // A refusal without a published name comes from a proxy or from an internal failure of SES.
    return status >= 400 && status < 500 && data && type !== ""
      ? { outcome: "deferred", configuration: true, message: said }
      : unknown(said);
  }
  return handoverAs(meaning, said);
};

/**
 * Errors of SendEmail and of all AWS services, without the suffix `Exception`:
 * https://docs.aws.amazon.com/ses/latest/APIReference-V2/CommonErrors.html
 */
const MEANINGS: Record<string, Meaning> = {
  MessageRejected: "content",
  BadRequest: "content",
  RequestEntityTooLarge: "content",
  Validation: "content",
  MailFromDomainNotVerified: "configuration",
  NotFound: "configuration",
  AccountSuspended: "configuration",
  SendingPaused: "configuration",
  TooManyRequests: "throttled",
  Throttling: "throttled",
  RequestThrottled: "throttled",
  LimitExceeded: "throttled",
  ServiceUnavailable: "deferred",
  SlowDown: "throttled",
};

/** SES also returns MessageRejected for an unverified domain, and for every recipient in sandbox mode. */
const NOT_VERIFIED = /address is not verified|not authorized to use|domain is not verified/i;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const unknown = (what: string): Handover => ({
  outcome: "unknown",
  message: `SES may have accepted the mail: ${what}`,
});
