import type { HmacScheme, Scheme } from "../lib/signature/scheme.ts";
import { hmacOfBody } from "../lib/signature/schemes.ts";
import { type Form, readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

export type AnyEvent = { type: string } & Readonly<Record<string, unknown>>;

export const FORM: Form = {
  what: "a JSON event",
  id: "id",
  type: "type",
  otherwise: "unknown",
  time: [
    ["timestamp", "iso"],
    ["created_at", "iso"],
  ],
};

/**
 * Creates a handler for a custom HMAC. The default is a hex HMAC-SHA256 of the body in `X-Signature`.
 * @example
 * genericHmacWith({ signature: { header: "X-Acme-Signature" }, hash: "SHA-512", encoding: "base64" })
 */
export const genericHmacWith = (
  scheme: Partial<HmacScheme> | { scheme: Scheme } = {},
  form: Partial<Form> = {},
): Handler<AnyEvent> => ({
  ...genericHmac,
  scheme: "scheme" in scheme ? scheme.scheme : hmacOfBody("X-Signature", scheme),
  read: readEvent({ ...FORM, ...form }),
});

const timed = {
  content: ["{timestamp}.{body}"],
  signature: { header: "X-Signature", separator: ",", name: "v1" },
  timestamp: { at: { header: "X-Signature", separator: ",", name: "t" }, unit: "s", tolerance: 300 },
} as const;

/**
 * A common HMAC of the body (SHA-256, SHA-512): `X-Signature`, also as `t=<Unix s>,v1=<hex>` of `<t>.<body>`, or
 * `X-Hub-Signature-256`, `X-Hub-Signature`.
 */
export const genericHmac: Handler<AnyEvent> = {
  provider: "generic-hmac",
  about: { title: "Any HMAC", secret: "HMAC_WEBHOOK_SECRET", setUp: "the sender" },
  scheme: {
    kind: "any",
    of: [
      hmacOfBody("X-Signature"),
      hmacOfBody("X-Signature", { encoding: "base64" }),
      hmacOfBody("X-Signature", { hash: "SHA-512" }),
      hmacOfBody("X-Signature", { hash: "SHA-512", encoding: "base64" }),
      hmacOfBody("X-Signature", { prefix: "sha256=" }),
      hmacOfBody("X-Signature", timed),
      hmacOfBody("X-Hub-Signature-256", { prefix: "sha256=" }),
      hmacOfBody("X-Hub-Signature", { hash: "SHA-1", prefix: "sha1=" }),
    ],
  },
  freeSecret: true,
  read: readEvent(FORM),
};
