import fixture from "./fixtures/signature-vectors.json" with { type: "json" };

/** A vendor's or documented webhook, valid or forged. `now`: Unix seconds. */
export type Vector = {
  provider: string;
  name: string;
  secret: string;
  rawBody: string;
  headers: Record<string, string>;
  now: number;
  valid: boolean;
  method?: string;
  url?: string;
  expectedStatus?: number;
  expectedResponseBody?: string;
};

export const vectors = fixture.vectors as unknown as Vector[];

/** Vectors that do not apply to webhooks, with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  "hubspot: v2 official GET": "signs a GET without a body, as HubSpot's cards send; its webhooks are POSTs",
};

const JWKS = "https://auth.example.com/.well-known/jwks.json";

/** The source's secret for a vector, and the texts of the network by URL. */
export const setUp = ({ provider, secret, rawBody }: Vector): { secret: string; texts: Record<string, string> } => {
  // `secret` is the verifying key. With fetched keys, the source's secret is their address or owner.
  if (provider === "aws-sns") {
    const { TopicArn, SigningCertURL } = JSON.parse(rawBody) as Record<string, string>;
    const confirm = (JSON.parse(rawBody) as Record<string, string>).SubscribeURL;
    return {
      secret: TopicArn ?? "",
      texts: { [SigningCertURL ?? ""]: secret, ...(confirm ? { [confirm]: "<ok/>" } : {}) },
    };
  }
  if (!secret.startsWith('{"jwks"')) return { secret, texts: {} };
  const { jwks, domain } = JSON.parse(secret) as { jwks: unknown; domain?: string };
  const address = domain ? `${domain}/.well-known/jwks.json` : JWKS;
  return { secret: domain ?? JWKS, texts: { [address]: JSON.stringify(jwks) } };
};
