import type { HmacScheme, Scheme } from "../lib/signature/scheme.ts";
import { hmacOfBody } from "../lib/signature/schemes.ts";
import { type Form, readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

/** An event of any other sender. `type` comes from the place that `form` names. */
export type AnyEvent = { type: string } & Readonly<Record<string, unknown>>;

/** Where an event has its id, type and time, unless the source says otherwise. */
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
 * Makes a handler for a sender with its own form of HMAC:
 *
 *     genericHmacWith({ signature: { header: "X-Acme-Signature" }, hash: "SHA-512", encoding: "base64" })
 *
 * Defaults: HMAC-SHA256 of the body, in hex, in `X-Signature`; `id`, `type` and `timestamp` in the body.
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
 * Any sender with an HMAC of the body in a common form: SHA-256 or SHA-512, hex or base64, in `X-Signature`;
 * `sha256=<hex>`, or `t=<Unix s>,v1=<hex>` of `<t>.<body>`, in the same header; `X-Hub-Signature-256: sha256=<hex>`; or the older `X-Hub-Signature: sha1=<hex>`.
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
