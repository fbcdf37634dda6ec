import { organizationalDomain } from "./name.ts";

/**
 * A DNS record that a sending domain needs. `host`: without a dot at its end. `value`: of an MX record, such as
 * `10 mx.example.com`. `selector` and `publicKey`: of a DKIM record. `mechanisms`: what an SPF record must have.
 */
export type ExpectedRecord = { host: string; value: string; purpose: string; required: boolean } & (
  | { kind: "dkim"; type: "TXT"; selector: string; publicKey: string }
  | { kind: "spf"; type: "TXT"; mechanisms: readonly string[] }
  | { kind: "dmarc"; type: "TXT"; domain: string }
  | { kind: "mx"; type: "MX" }
);

/** `until`: how long the record of a retired key is needed, in Unix ms. */
export type PublishedKey = {
  selector: string;
  publicKey: string;
  state: "next" | "active" | "retired";
  until?: number;
};

/**
 * The records for bounces, on a subdomain, so that those of the domain itself stay as they are. `mechanisms`: of SPF, such as
 * `include:amazonses.com`. `mx`: `10 mx.example.com`. Undefined where the relay has a return path of its own.
 */
export type Envelope = { mechanisms: readonly string[]; mx: readonly string[] };

/** The name on which bounces arrive. */
export const envelopeDomain = (domain: string): string => `envelope.${domain}`;

const DMARC = "v=DMARC1; p=none;";

/** Every record of a domain, in the order in which people enter them. */
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
