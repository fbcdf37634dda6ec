import * as z from "zod";
import { parseRetryAfter } from "../../../../lib/contract/client.ts";
import type { Handover, Message, MessageSender } from "../../../types/mail-handover.ts";
import type { Https } from "../definition.ts";
import { handoverAfter, handoverAs, type Meaning } from "../meaning.ts";

export const REGIONS = { us: "https://api.mailgun.net", eu: "https://api.eu.mailgun.net" } as const;

export type MailgunSettings = { region: keyof typeof REGIONS; apiKey: string };

const TIMEOUT_MS = 30_000;

/**
 * Sends through Mailgun from the From domain. It sets the return path and lacks idempotency keys.
 * https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages
 */
export const mailgunSender = (
  { region, apiKey }: MailgunSettings,
  domain: string,
  { fetch, now, timeout }: Https,
): MessageSender => ({
  name: "mailgun",
  async send(message) {
    const request = new Request(`${REGIONS[region]}/v3/${encodeURIComponent(domain)}/messages.mime`, {
      method: "POST",
      headers: { Authorization: `Basic ${btoa(`api:${apiKey}`)}` },
      body: formOf(message),
      redirect: "manual",
      signal: timeout(TIMEOUT_MS),
    });
    try {
      const response = await fetch(request);
      const retryAfter = parseRetryAfter(response.headers.get("Retry-After"), now());
      return handoverOf(response.status, await response.text(), retryAfter);
    } catch (error) {
      return handoverAfter(error, "Mailgun");
    }
  },
});

const formOf = ({ id, raw, envelope, token }: Message): FormData => {
  const form = new FormData();
  // Mailgun sends to these recipients only, not to those in headers.
  for (const to of envelope.to) form.append("to", to);
  form.append("message", new Blob([raw as Uint8Array<ArrayBuffer>]), "message.mime");
  // A changed link would break the DKIM signature.
  form.append("o:tracking", "no");
  // Mailgun webhooks repeat the variable, which identifies the send.
  form.append("v:send", token ?? id);
  return form;
};

const accepted = z.object({ id: z.string().min(1) });
const refused = z.object({ message: z.string() });

const handoverOf = (status: number, text: string, retryAfter: number | undefined): Handover => {
  const body = parse(text);
  if (status === 200) {
    const { data } = accepted.safeParse(body);
    return data ? { outcome: "accepted", reply: data.id } : unknown("its answer has no id");
  }
  const { data } = refused.safeParse(body);
  const said = `Mailgun answered ${status}: ${data?.message ?? text}`.slice(0, 500);
  const meaning = meaningOf(status, data?.message);
  if (meaning === undefined) return unknown(said);
  const handover = handoverAs(meaning, said);
  return handover.outcome === "deferred" && retryAfter !== undefined ? { ...handover, retryAfter } : handover;
};

/** Returns undefined if the mail may have been taken. A 4xx without a message comes from a proxy. */
const meaningOf = (status: number, message: string | undefined): Meaning | undefined => {
  // Mailgun answers a wrong key with plain text.
  if (status === 401) return "configuration";
  if (status === 429) return "throttled";
  if (message === undefined || status < 400 || status >= 500 || status === 408) return undefined;
  return [400, 413].includes(status) && !NOT_ALLOWED.test(message) ? "content" : "configuration";
};

/** Mailgun also answers 400 for a domain that may not send. */
const NOT_ALLOWED =
  /sandbox|not allowed to send|domain .*(?:unverified|not verified|disabled|not found)|account .*disabled/i;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const unknown = (what: string): Handover => ({
  outcome: "unknown",
  message: `Mailgun may have accepted the mail: ${what}`,
});
