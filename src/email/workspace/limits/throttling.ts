import type { Handover } from "../../types/mail.ts";

type Deferred = Extract<Handover, { outcome: "deferred" }>;

/** What a throttling answer is about: our account at the relay, or the domain of the recipient. */
export type Scope = "account" | "domain";

/**
 * The first line that fits decides. An answer that fits none is about the account, because a relay speaks for itself unless it
 * says otherwise.
 */
const TABLE: readonly { scope: Scope; pattern: RegExp }[] = [
  // Amazon SES: https://docs.aws.amazon.com/ses/latest/dg/manage-sending-quotas-errors.html
  {
    scope: "account",
    pattern: /maximum sending rate exceeded|daily message quota exceeded|throttling failure|^SES answered/i,
  },
  // Google as a receiver (4.7.28 and its kin) and as a relay (4.7.0, 4.2.1): https://support.google.com/a/answer/3726730
  {
    scope: "domain",
    pattern: /\b4\.7\.(?:2[3-9]|3\d|4\d)\b|unsolicited mail originating from your|gsmtp.*unusual rate/i,
  },
  // Yahoo and AOL: https://senders.yahooinc.com/smtp-error-codes/
  {
    scope: "domain",
    pattern: /\[TSS?\d\d\]|\[GL\d\d\]|\[DEFERRED\]|temporarily deferred due to (?:user complaints|unexpected volume)/i,
  },
  // Microsoft: https://learn.microsoft.com/exchange/mail-flow-best-practices/non-delivery-reports-in-exchange-online
  {
    scope: "domain",
    pattern: /\b4\.7\.(?:500|650|651|652)\b|RP-00[1-3]|\b(?:S775|S3150|S3140)\b|outlook\.com|protection\.outlook/i,
  },
  // Greylisting and full mailboxes concern one recipient's server.
  {
    scope: "domain",
    pattern:
      /gr[ae]y-?list|postgrey|\b4\.2\.1\b|recipient .{0,40}(?:rate|too (?:many|much|fast))|receiving mail at a rate/i,
  },
  // The receiver names itself or its policy for domains.
  {
    scope: "domain",
    pattern: /(?:destination|recipient|remote) (?:domain|host|server|mx)|too many (?:messages|mails?) to/i,
  },
];

export const scopeOf = ({ message }: Pick<Deferred, "message">): Scope =>
  TABLE.find(({ pattern }) => pattern.test(message))?.scope ?? "account";

/** Domains whose mailboxes are with one provider, which counts mail to all of them together. */
const PROVIDERS: Readonly<Record<string, readonly string[]>> = {
  Google: ["gmail.com", "googlemail.com"],
  Microsoft: [
    ...["outlook.com", "hotmail.com", "live.com", "msn.com", "passport.com", "windowslive.com"],
    ...["outlook.de", "outlook.fr", "outlook.es", "outlook.it", "outlook.jp", "outlook.com.br"],
    ...["hotmail.co.uk", "hotmail.fr", "hotmail.de", "hotmail.it", "hotmail.es", "hotmail.nl", "hotmail.be"],
    ...["live.co.uk", "live.fr", "live.de", "live.nl", "live.it", "live.ca", "live.com.au", "live.se", "live.dk"],
  ],
  Yahoo: [
    ...["yahoo.com", "ymail.com", "rocketmail.com", "myyahoo.com", "aol.com", "aim.com", "netscape.net", "verizon.net"],
    ...["yahoo.co.uk", "yahoo.fr", "yahoo.de", "yahoo.it", "yahoo.es", "yahoo.ca", "yahoo.in", "yahoo.co.in"],
    ...["yahoo.com.br", "yahoo.com.mx", "yahoo.com.ar", "yahoo.com.au", "yahoo.co.id", "yahoo.com.sg", "yahoo.gr"],
  ],
  Apple: ["icloud.com", "me.com", "mac.com"],
  "United Internet": ["gmx.de", "gmx.net", "gmx.at", "gmx.ch", "gmx.com", "web.de", "mail.com", "1und1.de"],
  Proton: ["proton.me", "protonmail.com", "protonmail.ch", "pm.me"],
  Yandex: ["yandex.ru", "yandex.com", "ya.ru", "yandex.by", "yandex.kz"],
  "VK Mail": ["mail.ru", "inbox.ru", "list.ru", "bk.ru", "internet.ru"],
  Orange: ["orange.fr", "wanadoo.fr"],
  Tencent: ["qq.com", "foxmail.com"],
  NetEase: ["163.com", "126.com", "yeah.net"],
};

const PROVIDER_OF = new Map(
  Object.entries(PROVIDERS).flatMap(([provider, domains]) => domains.map((domain) => [domain, provider] as const)),
);

/** The place that mail to an address goes to: a large provider, or the domain. */
export const placeOf = (address: string): string => {
  const domain = address.slice(address.lastIndexOf("@") + 1).toLowerCase();
  return PROVIDER_OF.get(domain) ?? domain;
};
