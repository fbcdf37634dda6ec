import { organizationalDomain } from "./name.ts";

/**
 * A required DNS record; `host` has no final dot. `value` of MX is like `10 mx.example.com`; `mechanisms` are
 * required by SPF.
 */
export type ExpectedRecord = { host: string; value: string; purpose: string; required: boolean } & (
  | { kind: "dkim"; type: "TXT"; selector: string; publicKey: string }
  | { kind: "spf"; type: "TXT"; mechanisms: readonly string[] }
  | { kind: "dmarc"; type: "TXT"; domain: string }
  | { kind: "mx"; type: "MX" }
);

/** `until`: end of need for a retired key, Unix ms. */
export type PublishedKey = {
  selector: string;
  publicKey: string;
  state: "next" | "active" | "retired";
  until?: number;
};

/**
 * Bounce records on a subdomain, such as `include:amazonses.com` and `10 mx.example.com`. Undefined if the mail
 * provider has a return path.
 */
export type Envelope = { mechanisms: readonly string[]; mx: readonly string[] };

export const envelopeDomain = (domain: string): string => `envelope.${domain}`;

const DMARC = "v=DMARC1; p=none;";

export const recordsOf = (
  domain: string,
  keys: readonly PublishedKey[],
  envelope: Envelope | undefined,
): ExpectedRecord[] => [
  ...keys.map((key) => dkimRecord(domain, key)),
  ...(envelope ? envelopeRecords(envelopeDomain(domain), envelope) : []),
  {
    kind: "dmarc",
    type: "TXT",
    domain,
    value: DMARC,
    required: false,
    host: `_dmarc.${organizationalDomain(domain) ?? domain}`,
    purpose:
      "DMARC: says what receivers do with mail that only claims to be from this domain. Add it only where there is no DMARC record yet. Large receivers ask for one.",
  },
];

const PURPOSES: Record<PublishedKey["state"], (until: string) => string> = {
  active: () => "DKIM: the public key with which receivers check that mail is from this domain.",
  next: () => "DKIM: the next key. It begins to sign when this record is found.",
  retired: (until) =>
    `DKIM: the former key. Keep it until ${until}, because mail that it signed may still be on its way.`,
};

const dkimRecord = (domain: string, { selector, publicKey, state, until }: PublishedKey): ExpectedRecord => ({
  kind: "dkim",
  type: "TXT",
  selector,
  publicKey,
  required: state === "active",
  host: `${selector}._domainkey.${domain}`,
  value: `v=DKIM1; k=rsa; p=${publicKey}`,
  purpose: PURPOSES[state](until === undefined ? "" : new Date(until).toISOString().slice(0, 10)),
});

const envelopeRecords = (host: string, { mechanisms, mx }: Envelope): ExpectedRecord[] => [
  ...(mechanisms.length === 0
    ? []
    : [
        {
          ...({ kind: "spf", type: "TXT", host, mechanisms, required: true } as const),
          value: `v=spf1 ${mechanisms.join(" ")} ~all`,
          purpose: "SPF: says which servers may send mail for this domain.",
        },
      ]),
  ...mx.map((value) => ({
    ...({ kind: "mx", type: "MX", host, value, required: true } as const),
    purpose: "MX: the server that bounces are returned to.",
  })),
];
