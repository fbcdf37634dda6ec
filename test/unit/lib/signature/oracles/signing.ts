import { createRequire } from "node:module";
import { decodeWebhook } from "@kinde/webhooks";
import { sign as githubSign, verify as githubVerify } from "@octokit/webhooks-methods";
import { WorkOS } from "@workos-inc/node";
import { Webhook as StandardWebhook } from "standardwebhooks";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";
import twilio from "twilio";
import { vi } from "vitest";
import { certificateOf, holds, type Oracle, rsa, snsMessage } from "./oracle.ts";

const require = createRequire(import.meta.url);
// These packages have no types.
const { BraintreeGateway, Environment } = require("braintree");
const { sign: signToken } = require("jsonwebtoken");

const BODY = '{"type":"user.created","data":{"email":"jörg@example.com"}}';
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const anything = { match: /example/ };

const stripe = new Stripe("sk_test_none");
const workos = new WorkOS("sk_test_none");
const braintree = new BraintreeGateway({
  environment: Environment.Sandbox,
  merchantId: "merchant",
  publicKey: "pub",
  privateKey: "private_key",
});

const bodyHash = async (raw: string) =>
  Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(raw))).toString("base64");

/** Vendors with a package, or a documented library, that can sign. */
export const signing: readonly Oracle[] = [
  {
    provider: "stripe",
    package: "stripe",
    make: (now) => ({
      raw: BODY,
      secret: "whsec_test",
      headers: {
        "stripe-signature": stripe.webhooks.generateTestHeaderString({
          payload: BODY,
          secret: "whsec_test",
          timestamp: now / 1000,
        }),
      },
    }),
    parts: {
      body: anything,
      timestamp: { header: "stripe-signature", match: /t=(\d+)/ },
      signature: { header: "stripe-signature", match: /v1=(\w+)/ },
    },
  },
  ...(["generic", "polar", "better-auth"] as const).map(
    (provider): Oracle => ({
      provider,
      package: "standardwebhooks",
      make: (now) => ({
        raw: BODY,
        secret: SECRET,
        headers: {
          "webhook-id": "msg_1",
          "webhook-timestamp": String(now / 1000),
          "webhook-signature": new StandardWebhook(SECRET).sign("msg_1", new Date(now), BODY),
        },
      }),
      parts: {
        body: anything,
        id: { header: "webhook-id", match: /.+/ },
        timestamp: { header: "webhook-timestamp", match: /.+/ },
        signature: { header: "webhook-signature", match: /v1,(.+)/ },
      },
    }),
  ),
  ...(["clerk", "resend", "stytch", "propelauth"] as const).map(
    (provider): Oracle => ({
      provider,
      package: "svix",
      make: (now) => ({
        raw: BODY,
        secret: SECRET,
        headers: {
          "svix-id": "msg_1",
          "svix-timestamp": String(now / 1000),
          "svix-signature": new SvixWebhook(SECRET).sign("msg_1", new Date(now), BODY),
        },
      }),
      parts: {
        body: anything,
        id: { header: "svix-id", match: /.+/ },
        timestamp: { header: "svix-timestamp", match: /.+/ },
        signature: { header: "svix-signature", match: /v1,(.+)/ },
      },
    }),
  ),
  {
    provider: "github",
    package: "@octokit/webhooks-methods",
    make: async () => ({
      raw: BODY,
      secret: "It's a secret",
      headers: { "x-hub-signature-256": await githubSign("It's a secret", BODY) },
    }),
    accepts: ({ raw, headers, secret }) => githubVerify(secret, raw, headers["x-hub-signature-256"] ?? ""),
    parts: { body: anything, signature: { header: "x-hub-signature-256", match: /sha256=(.+)/ } },
  },
  {
    provider: "workos",
    package: "@workos-inc/node",
    make: async (now) => {
      const signature = await workos.webhooks.computeSignature(now, JSON.parse(BODY), "workos_secret");
      return { raw: BODY, secret: "workos_secret", headers: { "workos-signature": `t=${now}, v1=${signature}` } };
    },
    parts: {
      body: anything,
      timestamp: { header: "workos-signature", match: /t=(\d+)/ },
      signature: { header: "workos-signature", match: /v1=(.+)/ },
    },
  },
  {
    provider: "twilio",
    package: "twilio",
    make: () => {
      const url = "https://bridge.test/hooks/twilio?x=1";
      const fields = { MessageSid: "SM1", MessageStatus: "delivered", To: "+14158675309", Body: "for example" };
      const signature = twilio.getExpectedTwilioSignature("token", url, fields);
      const raw = new URLSearchParams(fields).toString();
      return { raw, url, secret: "token", headers: { "x-twilio-signature": signature } };
    },
    accepts: ({ raw, url = "", headers, secret }) =>
      twilio.validateRequest(
        ...([secret, headers["x-twilio-signature"] ?? "", url, Object.fromEntries(new URLSearchParams(raw))] as const),
      ),
    parts: { body: anything, id: { match: /SM1/ }, signature: { header: "x-twilio-signature", match: /.+/ } },
  },
  {
    provider: "braintree",
    package: "braintree",
    make: () => {
      const sample = braintree.webhookTesting.sampleNotification("subscription_canceled", "sub_1");
      return { raw: new URLSearchParams(sample).toString(), secret: "pub:private_key", headers: {} };
    },
    parts: {
      body: { match: /bt_payload=.{40}(.)/ },
      id: { match: /bt_signature=(pub)/ },
      signature: { match: /bt_signature=pub%7C(\w+)/ },
    },
  },
  {
    provider: "fusionauth",
    package: "jsonwebtoken",
    make: async () => {
      const secret = "fusionauth-secret-0123456789abcdef";
      const token = signToken({ request_body_sha256: await bodyHash(BODY) }, secret);
      return { raw: BODY, secret, headers: { "x-fusionauth-signature-jwt": token } };
    },
    parts: {
      body: anything,
      signature: { header: "x-fusionauth-signature-jwt", match: /\.([\w-]+)$/ },
      id: { header: "x-fusionauth-signature-jwt", match: /\.([\w-]+)\./ },
    },
  },
  {
    provider: "firebase",
    package: "jsonwebtoken",
    make: async (now) => {
      const claims = { event_id: "e1", event_type: "beforeCreate", user_record: { uid: "u1" }, iat: now / 1000 };
      const jwt = signToken(claims, rsa.privateKey, {
        algorithm: "RS256",
        keyid: "k1",
        issuer: "https://securetoken.google.com/my-project",
        audience: "https://us-central1-my-project.cloudfunctions.net/beforeCreate",
        expiresIn: 600,
      });
      const address = "https://www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com";
      return {
        raw: JSON.stringify({ data: { jwt } }),
        secret: "my-project",
        headers: {},
        texts: { [address]: JSON.stringify({ k1: certificateOf(rsa.publicKey) }) },
      };
    },
    parts: { body: { match: /\.([\w-]{40,})\./ }, signature: { match: /\.([\w-]+)"/ } },
  },
  {
    provider: "kinde",
    package: "@kinde/webhooks",
    make: async () => {
      const claims = { type: "user.created", event_id: "event_1", data: {} };
      const key = { ...rsa.publicKey.export({ format: "jwk" }), kid: "k1", alg: "RS256", use: "sig" };
      return {
        raw: signToken(claims, rsa.privateKey, { algorithm: "RS256", keyid: "k1" }),
        secret: "https://acme.kinde.com",
        headers: {},
        texts: { "https://acme.kinde.com/.well-known/jwks.json": JSON.stringify({ keys: [key] }) },
      };
    },
    accepts: ({ raw, secret, texts = {} }) => kindeAccepts(raw, secret, texts),
    parts: { body: { match: /\.([\w-]+)\./ }, signature: { match: /\.([\w-]+)$/ } },
  },
  {
    provider: "aws-sns",
    package: "sns-validator",
    make: () => {
      const message = snsMessage();
      return {
        raw: JSON.stringify(message),
        secret: message.TopicArn ?? "",
        headers: {},
        texts: { [message.SigningCertURL ?? ""]: certificateOf(rsa.publicKey) },
      };
    },
    accepts: ({ raw, texts = {} }) => snsAccepts(JSON.parse(raw), Object.values(texts)[0] ?? ""),
    parts: {
      body: { match: /"Subject":"(\w+)/ },
      id: { match: /"MessageId":"([\w-]+)/ },
      timestamp: { match: /"Timestamp":"(\d+)/ },
      signature: { match: /"Signature":"([^"]+)/ },
    },
  },
];

const kindeAccepts = async (raw: string, domain: string, texts: Record<string, string>): Promise<boolean> => {
  vi.stubGlobal("fetch", async (url: URL | string) => new Response(texts[String(url)] ?? null));
  try {
    return await holds(() => decodeWebhook(raw, domain));
  } finally {
    vi.unstubAllGlobals();
  }
};

const snsAccepts = (message: unknown, certificate: string): Promise<boolean> => {
  const https = require("node:https");
  const { get } = https;
  https.get = (_url: string, answer: (response: unknown) => void) => {
    const response = {
      statusCode: 200,
      on: (event: string, then: (data?: string) => void) => {
        then(event === "data" ? certificate : undefined);
        return response;
      },
    };
    answer(response);
    return { on: () => {} };
  };
  const Validator = require("sns-validator");
  return new Promise<boolean>((resolve) => {
    new Validator().validate(message, (error: unknown) => resolve(!error));
  }).finally(() => {
    https.get = get;
  });
};
