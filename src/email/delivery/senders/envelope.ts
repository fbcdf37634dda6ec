import type { Env } from "../../env.ts";
import type { Envelope } from "../../mail/dns/records.ts";
import type { MailClass } from "../../types/mail.ts";
import { type Choice, marketingObstacle, readChoice } from "./settings.ts";

const CLASSES: readonly MailClass[] = ["transactional", "marketing"];

/**
 * `envelope`: bounce records. `envelopeClasses`: classes with that return path. `inboxOnly`: captured classes.
 * `notes`: for the operator. `marketingObstacle`: why no marketing mail is sent.
 */
export type MailSettings = {
  envelope: Envelope | undefined;
  envelopeClasses: readonly MailClass[];
  inboxOnly: readonly MailClass[];
  notes: readonly string[];
  marketingObstacle?: string;
};

/** Cloudflare Email Routing passes bounces to the Worker: https://developers.cloudflare.com/email-routing/. */
const EMAIL_ROUTING = [1, 2, 3].map((n) => `${n}0 route${n}.mx.cloudflare.net`);

const ENVELOPES: Record<Choice["sender"], (choice: Choice, env: Env) => Envelope | undefined> = {
  inbox: () => undefined,
  // SES requires exactly one MX record: https://docs.aws.amazon.com/ses/latest/dg/mail-from.html
  ses: (choice) => {
    const region = choice.sender === "ses" ? choice.settings.region : "";
    return { mechanisms: ["include:amazonses.com"], mx: [`10 feedback-smtp.${region}.amazonses.com`] };
  },
  smtp: (_, env) => {
    const mechanisms = wordsOf(env.SPF_INCLUDE).map((word) => (/[:=]/.test(word) ? word : `include:${word}`));
    const given = (env.BOUNCE_MX ?? "").split(",").flatMap((one) => mxOf(one.trim()));
    return mechanisms.length === 0 ? undefined : { mechanisms, mx: given.length > 0 ? given : EMAIL_ROUTING };
  },
  // Cloudflare handles bounces itself.
  cloudflare: () => undefined,
};

const wordsOf = (text = ""): string[] =>
  text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== "");

const mxOf = (text: string): string[] => {
  const [, preference = "10", host] = /^(?:(\d{1,5}) +)?([a-z0-9.-]+?)\.?$/.exec(text.toLowerCase()) ?? [];
  return host === undefined ? [] : [`${preference} ${host}`];
};

export const mailSettingsOf = (env: Env): MailSettings => {
  const choices = CLASSES.flatMap((mailClass) => {
    const choice = readChoice(env, mailClass);
    return choice && "sender" in choice ? [{ mailClass, choice }] : [];
  });
  const relays = choices.filter(({ choice }) => choice.sender !== "inbox");
  const envelopes = relays.flatMap(({ choice }) => ENVELOPES[choice.sender](choice, env) ?? []);
  const ses = relays.find(({ choice }) => choice.sender === "ses");
  const mx = (ses ? ENVELOPES.ses(ses.choice, env) : envelopes[0])?.mx ?? [];
  const obstacle = marketingObstacle(env);
  const has = (sender: Choice["sender"]) => relays.some(({ choice }) => choice.sender === sender);
  return {
    envelope:
      envelopes.length === 0
        ? undefined
        : { mechanisms: [...new Set(envelopes.flatMap(({ mechanisms }) => mechanisms))], mx },
    envelopeClasses: relays
      .filter(({ choice }) => ENVELOPES[choice.sender](choice, env) !== undefined)
      .map(({ mailClass }) => mailClass),
    ...(obstacle === undefined ? {} : { marketingObstacle: obstacle }),
    inboxOnly: choices.filter(({ choice }) => choice.sender === "inbox").map(({ mailClass }) => mailClass),
    notes: [
      ...(relays.length === 0
        ? ["No sender but the local inbox is configured. The SPF and MX records depend on the sender: set it first."]
        : []),
      ...(has("smtp") && wordsOf(env.SPF_INCLUDE).length === 0
        ? [
            "SPF_INCLUDE is not set, so there are no records for bounces: mail has its From address as return path. Set it to the SPF name that the relay documents, if the relay lets you choose the return path.",
          ]
        : []),
      ...(has("ses")
        ? ["Verify the domain at Amazon SES too, and set envelope.<domain> as its custom MAIL FROM domain there."]
        : []),
      ...(has("cloudflare")
        ? ["Onboard the domain at Cloudflare Email Service too: it signs the mail that it sends."]
        : []),
    ],
  };
};
