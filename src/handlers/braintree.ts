import { hmacKeysOf, mac } from "../lib/signature/kinds/hmac.ts";
import { queryOf } from "../lib/signature/parts/values-at.ts";
import { fromBase64, toHex } from "../lib/util/hmac.ts";
import { digestOf } from "../lib/webhook/event.ts";
import { isoTime, object, text } from "../lib/webhook/shape.ts";
import type { Handler } from "../webhook.ts";

const WHAT = "a Braintree notification";

export type BraintreeEvent = { type: string; timestamp: string; xml: string };

const element = (xml: string, name: string) =>
  new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`).exec(xml)?.[1]?.trim();

/**
 * Braintree: a form with base64 XML and an HMAC-SHA1. The key is the SHA-1 of the private key.
 * @see https://developer.paypal.com/braintree/docs/guides/webhooks/parse
 */
export const braintree: Handler<BraintreeEvent> = {
  provider: "braintree",
  about: {
    title: "Braintree",
    secret: "BRAINTREE_WEBHOOK_SECRET",
    setUp: "Settings → API: `<public key>:<private key>`",
  },
  scheme: {
    kind: "hmac",
    hash: "SHA-1",
    key: ["sha1"],
    encoding: "hex",
    signature: { form: "bt_signature", separator: "&" },
    prefix: "{user}|",
    // Braintree's library also accepts a payload without its last line break.
    content: ["{payload}", "{payload}\n"],
    parts: { payload: { form: "bt_payload" } },
  },
  format: "form",
  endpointCheck: {
    method: "GET",
    answer: async ({ url }, secrets) => {
      const challenge = queryOf(url).get("bt_challenge") ?? "";
      const [key] = await hmacKeysOf(secrets, ["sha1"]);
      // Only texts in the form of a challenge are signed, to prevent abuse.
      if (!key || !/^[a-f0-9]{20,32}$/.test(challenge)) return undefined;
      const signature = toHex(await mac(key.bytes, challenge, { hash: "SHA-1" }));
      return { status: 200, body: `${key.user}|${signature}`, type: "text/plain" };
    },
  },
  read: async (_request, content, now) => {
    const payload = text(object(content, WHAT), "bt_payload", WHAT);
    const xml = new TextDecoder().decode(fromBase64(payload.replace(/\s/g, "")) ?? new Uint8Array());
    const type = element(xml, "kind");
    if (!type) throw new Error(`The body is not ${WHAT}: it has no kind.`);
    const timestamp = element(xml, "timestamp") ?? "";
    const body = { type, timestamp, xml };
    return { ...(await digestOf(payload)), type, occurredAt: isoTime(timestamp) ?? now, body, test: type === "check" };
  },
};
