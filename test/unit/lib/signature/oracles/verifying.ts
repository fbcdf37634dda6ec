import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { createRequire } from "node:module";
import { verifyWebhook } from "@clerk/backend/webhooks";
import { LinearWebhookClient } from "@linear/sdk/webhooks";
import { Environment, Paddle } from "@paddle/paddle-node-sdk";
import { validateEvent, WebhookVerificationError } from "@polar-sh/sdk/webhooks";
import { EventWebhook } from "@sendgrid/eventwebhook";
import "@shopify/shopify-api/adapters/node";
import { ApiVersion, shopifyApi } from "@shopify/shopify-api";
import Whop from "@whop/sdk";
import { basicAuthValidator } from "chargebee";
import { verifyKey } from "discord-interactions";
import DodoPayments from "dodopayments";
import { validateWebhookSignature } from "razorpay/dist/utils/razorpay-utils.js";
import { Resend } from "resend";
import { Webhook as SvixWebhook } from "svix";
import { holds, type Oracle } from "./oracle.ts";

const require = createRequire(import.meta.url);
const { verifySlackRequest } = require("@slack/bolt/dist/receivers/verify-request");

const BODY = '{"type":"user.created","data":{"email":"jörg@example.com"}}';
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const anything = { match: /example/ };
const hmac = (key: string, content: string, encoding: "hex" | "base64" = "hex") =>
  createHmac("sha256", key).update(content).digest(encoding);

const svixHeaders = (now: number) => ({
  "svix-id": "msg_1",
  "svix-timestamp": String(now / 1000),
  "svix-signature": new SvixWebhook(SECRET).sign("msg_1", new Date(now), BODY),
});
const svixParts = {
  body: anything,
  id: { header: "svix-id", match: /.+/ },
  timestamp: { header: "svix-timestamp", match: /.+/ },
  signature: { header: "svix-signature", match: /v1,(.+)/ },
} as const;

const standardHeaders = (now: number, key: string | Buffer) => {
  const at = String(now / 1000);
  const signature = createHmac("sha256", key).update(`msg_1.${at}.${BODY}`).digest("base64");
  return { "webhook-id": "msg_1", "webhook-timestamp": at, "webhook-signature": `v1,${signature}` };
};
const standardParts = {
  body: anything,
  id: { header: "webhook-id", match: /.+/ },
  timestamp: { header: "webhook-timestamp", match: /.+/ },
  signature: { header: "webhook-signature", match: /v1,(.+)/ },
} as const;

const shopify = shopifyApi({
  apiKey: "key",
  apiSecretKey: "hush",
  scopes: [],
  hostName: "app.test",
  isEmbeddedApp: false,
  apiVersion: ApiVersion.July26 ?? (Object.values(ApiVersion)[0] as ApiVersion),
});
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const ed = generateKeyPairSync("ed25519");
const edKey = ed.publicKey.export({ type: "spki", format: "der" }).subarray(-32).toString("hex");

/** Vendors with a package that can only verify: the tests sign by the documented rule. */
export const verifying: readonly Oracle[] = [
  {
    provider: "clerk",
    package: "@clerk/backend",
    make: (now) => ({ raw: BODY, secret: SECRET, headers: svixHeaders(now) }),
    accepts: ({ raw, headers, secret }) =>
      holds(() =>
        verifyWebhook(new Request("https://x.test", { method: "POST", headers, body: raw }), { signingSecret: secret }),
      ),
    parts: svixParts,
  },
  {
    provider: "resend",
    package: "resend",
    make: (now) => ({ raw: BODY, secret: SECRET, headers: svixHeaders(now) }),
    accepts: ({ raw, headers, secret }) =>
      holds(() =>
        new Resend("re_none").webhooks.verify({
          payload: raw,
          headers: {
            id: headers["svix-id"] ?? "",
            timestamp: headers["svix-timestamp"] ?? "",
            signature: headers["svix-signature"] ?? "",
          },
          webhookSecret: secret,
        }),
      ),
    parts: svixParts,
  },
  {
    provider: "polar",
    package: "@polar-sh/sdk",
    make: (now) => {
      const secret = "polar_whs_older_secret";
      const at = String(now / 1000);
      const signature = `v1,${hmac(secret, `msg_1.${at}.${BODY}`, "base64")}`;
      return {
        raw: BODY,
        secret,
        headers: { "webhook-id": "msg_1", "webhook-timestamp": at, "webhook-signature": signature },
      };
    },
    // An unknown type throws another error, after the signature was verified.
    accepts: ({ raw, headers, secret }) => {
      try {
        validateEvent(raw, headers, secret);
        return true;
      } catch (error) {
        return !(error instanceof WebhookVerificationError);
      }
    },
    parts: {
      body: anything,
      id: { header: "webhook-id", match: /.+/ },
      timestamp: { header: "webhook-timestamp", match: /.+/ },
      signature: { header: "webhook-signature", match: /v1,(.+)/ },
    },
  },
  {
    provider: "paddle",
    package: "@paddle/paddle-node-sdk",
    make: (now) => {
      const header = `ts=${now / 1000};h1=${hmac("pdl_ntfset_1", `${now / 1000}:${BODY}`)}`;
      return { raw: BODY, secret: "pdl_ntfset_1", headers: { "paddle-signature": header } };
    },
    accepts: ({ raw, headers, secret }) =>
      new Paddle("key", { environment: Environment.sandbox }).webhooks
        .isSignatureValid(raw, secret, headers["paddle-signature"] ?? "")
        .catch(() => false),
    parts: {
      body: anything,
      timestamp: { header: "paddle-signature", match: /ts=(\d+)/ },
      signature: { header: "paddle-signature", match: /h1=(\w+)/ },
    },
  },
  {
    provider: "shopify",
    package: "@shopify/shopify-api",
    make: () => ({
      raw: BODY,
      secret: "hush",
      headers: {
        "x-shopify-hmac-sha256": hmac("hush", BODY, "base64"),
        "x-shopify-topic": "customers/create",
        "x-shopify-shop-domain": "acme.myshopify.com",
        "x-shopify-api-version": "2026-01",
        "x-shopify-webhook-id": "b54557e4",
      },
    }),
    accepts: async ({ raw, headers }) =>
      (await shopify.webhooks.validate({ rawBody: raw, rawRequest: { headers, method: "POST", url: "/" } })).valid,
    parts: { body: anything, signature: { header: "x-shopify-hmac-sha256", match: /.+/ } },
  },
  {
    provider: "slack",
    package: "@slack/bolt",
    make: (now) => ({
      raw: BODY,
      secret: "signing_secret",
      headers: {
        "x-slack-request-timestamp": String(now / 1000),
        "x-slack-signature": `v0=${hmac("signing_secret", `v0:${now / 1000}:${BODY}`)}`,
      },
    }),
    accepts: ({ raw, headers, secret }, now) =>
      holds(() => {
        const given = {
          "x-slack-signature": headers["x-slack-signature"],
          "x-slack-request-timestamp": Number(headers["x-slack-request-timestamp"]),
        };
        verifySlackRequest({ signingSecret: secret, body: raw, headers: given, nowMilliseconds: now });
      }),
    parts: {
      body: anything,
      timestamp: { header: "x-slack-request-timestamp", match: /.+/ },
      signature: { header: "x-slack-signature", match: /v0=(.+)/ },
    },
  },
  {
    provider: "linear",
    package: "@linear/sdk",
    make: (now) => {
      const raw = JSON.stringify({ type: "Issue", action: "create", data: { id: "example" }, webhookTimestamp: now });
      return { raw, secret: "lin_wh_1", headers: { "linear-signature": hmac("lin_wh_1", raw) } };
    },
    accepts: ({ raw, headers, secret }, now) =>
      holds(() => new LinearWebhookClient(secret).verify(Buffer.from(raw), headers["linear-signature"] ?? "", now)),
    parts: {
      body: anything,
      timestamp: { match: /webhookTimestamp":(\d+)/ },
      signature: { header: "linear-signature", match: /.+/ },
    },
  },
  {
    provider: "sendgrid",
    package: "@sendgrid/eventwebhook",
    make: (now) => {
      const raw = '[{"email":"a@example.com","event":"open","sg_event_id":"1","timestamp":1760000000}]\r\n';
      const signature = sign("sha256", Buffer.from(`${now / 1000}${raw}`), ec.privateKey).toString("base64");
      return {
        raw,
        secret: ec.publicKey.export({ type: "spki", format: "der" }).toString("base64"),
        headers: {
          "x-twilio-email-event-webhook-timestamp": String(now / 1000),
          "x-twilio-email-event-webhook-signature": signature,
        },
      };
    },
    accepts: ({ raw, headers, secret }) =>
      holds(() => {
        const hook = new EventWebhook();
        return hook.verifySignature(
          hook.convertPublicKeyToECDSA(secret),
          ...([raw, headers["x-twilio-email-event-webhook-signature"] ?? ""] as const),
          headers["x-twilio-email-event-webhook-timestamp"] ?? "",
        );
      }),
    parts: {
      body: anything,
      id: { match: /sg_event_id":"(1)/ },
      timestamp: { header: "x-twilio-email-event-webhook-timestamp", match: /.+/ },
      signature: { header: "x-twilio-email-event-webhook-signature", match: /.{12}(.+)/ },
    },
  },
  {
    provider: "discord",
    package: "discord-interactions",
    make: (now) => {
      const raw = '{"version":1,"type":1,"event":{"type":"APPLICATION_AUTHORIZED","example":1}}';
      const signature = sign(null, Buffer.from(`${now / 1000}${raw}`), ed.privateKey).toString("hex");
      const headers = { "x-signature-ed25519": signature, "x-signature-timestamp": String(now / 1000) };
      return { raw, secret: edKey, headers };
    },
    accepts: ({ raw, headers, secret }) =>
      verifyKey(raw, headers["x-signature-ed25519"] ?? "", headers["x-signature-timestamp"] ?? "", secret),
    parts: {
      body: anything,
      timestamp: { header: "x-signature-timestamp", match: /.+/ },
      signature: { header: "x-signature-ed25519", match: /.+/ },
    },
  },
  {
    provider: "chargebee",
    package: "chargebee",
    make: () => ({
      raw: BODY,
      secret: "user:pass:word",
      headers: { authorization: `Basic ${Buffer.from("user:pass:word").toString("base64")}` },
    }),
    accepts: ({ headers, secret }) =>
      holds(() => basicAuthValidator((user, password) => `${user}:${password}` === secret)(headers)),
    parts: { signature: { header: "authorization", match: /Basic (\w+)/ } },
  },
  {
    provider: "razorpay",
    package: "razorpay",
    make: () => ({ raw: BODY, secret: "hush hush", headers: { "x-razorpay-signature": hmac("hush hush", BODY) } }),
    accepts: ({ raw, headers, secret }) =>
      holds(() => validateWebhookSignature(raw, headers["x-razorpay-signature"] ?? "", secret)),
    parts: { body: anything, signature: { header: "x-razorpay-signature", match: /.+/ } },
  },
  {
    provider: "dodo",
    package: "dodopayments",
    make: (now) => ({
      raw: BODY,
      secret: SECRET,
      headers: standardHeaders(now, Buffer.from(SECRET.slice(6), "base64")),
    }),
    accepts: ({ raw, headers, secret }) =>
      holds(() => new DodoPayments({ bearerToken: "none" }).webhooks.unwrap(raw, { headers, key: secret })),
    parts: standardParts,
  },
  {
    provider: "whop",
    package: "@whop/sdk",
    make: (now) => ({ raw: BODY, secret: "ws_5f1c0a9be7d8", headers: standardHeaders(now, "ws_5f1c0a9be7d8") }),
    accepts: ({ raw, headers, secret }) =>
      holds(() => new Whop({ apiKey: "none" }).webhooks.unwrap(raw, { headers, key: btoa(secret) })),
    parts: standardParts,
  },
];
