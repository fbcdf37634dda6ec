import type { Scheme } from "./scheme.ts";
import { standard } from "./schemes.ts";

/**
 * ECDSA signature of SendGrid over time and body. The secret is the public key. SendGrid retries for 24 h.
 * @see
 * https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features
 */
export const sendGridScheme: Scheme = {
  kind: "public key",
  algorithm: "ECDSA P-256",
  key: "spki",
  form: "der",
  encoding: "base64",
  signature: { header: "X-Twilio-Email-Event-Webhook-Signature" },
  content: ["{timestamp}{body}"],
  timestamp: { at: { header: "X-Twilio-Email-Event-Webhook-Timestamp" }, unit: "s", tolerance: 90_000 },
};

/**
 * Mailgun's HMAC-SHA256 of time and token does not cover the event. Mailgun retries for 8 h.
 * @see https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks
 */
export const mailgunScheme: Scheme = {
  kind: "hmac",
  hash: "SHA-256",
  key: ["text"],
  encoding: "hex",
  signature: { json: "signature.signature" },
  content: ["{timestamp}{token}"],
  parts: { token: { json: "signature.token" } },
  timestamp: { at: { json: "signature.timestamp" }, unit: "s", tolerance: 30_000 },
};

/** Resend sends through Svix: https://resend.com/docs/dashboard/webhooks/verify-webhooks-requests. */
export const resendScheme: Scheme = standard(["svix", "webhook"]);
