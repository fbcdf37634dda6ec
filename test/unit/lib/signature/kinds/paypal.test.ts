import { sign } from "node:crypto";
import { crc32 as zlibCrc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { crc32 } from "../../../../../src/lib/signature/parts/crc32.ts";
import { whyUnusable } from "../../../../../src/lib/signature/usable.ts";
import { contextOf, verify } from "../../../signed.ts";
import { certificateOf, rsa } from "../oracles/oracle.ts";

const NOW = Date.UTC(2025, 10, 12, 12);
const WEBHOOK = "1HE90801975891415";
const CERT = "https://api.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-0e1f2a3b";
const BODY = '{"id":"WH-1","event_type":"PAYMENT.SALE.COMPLETED","summary":"Jörg 🚀"}';
const scheme = { kind: "paypal" } as const;
const pem = certificateOf(rsa.publicKey);

/** Signs as PayPal documents it, with Node's own CRC-32 and RSA. */
const signed = (more: Record<string, string> = {}, body = BODY, webhook = WEBHOOK) => {
  const id = "69cd13f0-d67a-11e5-baa3-778b53f4ae55";
  const time = more.time ?? "2025-11-12T12:00:00Z";
  const content = `${id}|${time}|${webhook}|${zlibCrc32(Buffer.from(body))}`;
  const signature = sign("sha256", Buffer.from(content), rsa.privateKey).toString("base64");
  return {
    "paypal-auth-algo": "SHA256withRSA",
    "paypal-cert-url": CERT,
    "paypal-transmission-id": id,
    "paypal-transmission-time": time,
    "paypal-transmission-sig": signature,
    ...more,
  };
};

type Given = { raw?: string; secrets?: string[]; texts?: Record<string, string> };

const check = async (
  headers: Record<string, string>,
  { raw = BODY, secrets = [WEBHOOK], texts = { [CERT]: pem } }: Given = {},
) => (await verify(scheme, { headers: new Headers(headers), raw }, secrets, NOW, contextOf(texts)))?.code;

test("the CRC-32 is that of zlib, and of the published check value", () => {
  expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => crc32(bytes) === zlibCrc32(bytes)));
});

describe("a webhook of PayPal", () => {
  test("is accepted with the certificate that it names, alone or before its chain", async () => {
    expect(await check(signed())).toBe(undefined);
    expect(await check(signed(), { texts: { [CERT]: `${pem}\n${certificateOf(rsa.publicKey)}` } })).toBe(undefined);
    expect(await check(signed(), { secrets: ["2AB90801975891415", ` ${WEBHOOK} `] })).toBe(undefined);
    for (const host of ["api-m.paypal.com", "api.sandbox.paypal.com", "api-m.sandbox.paypal.com"]) {
      const url = CERT.replace("api.paypal.com", host);
      expect(await check(signed({ "paypal-cert-url": url }), { texts: { [url]: pem } })).toBe(undefined);
    }
  });

  test("is refused with another body, transmission, time or webhook", async () => {
    const good = signed();
    expect(await check(good, { raw: BODY.replace("Jörg", "Jorg") })).toBe("invalid_signature");
    expect(await check({ ...good, "paypal-transmission-id": "other" })).toBe("invalid_signature");
    expect(await check({ ...good, "paypal-transmission-time": "2025-11-12T12:00:01Z" })).toBe("invalid_signature");
    expect(await check({ ...good, "paypal-transmission-sig": "AAAA" })).toBe("invalid_signature");
    expect(await check(signed({}, BODY, "2AB90801975891415"))).toBe("invalid_signature");
    expect(await check(signed({ "paypal-auth-algo": "SHA1withRSA" }))).toBe("invalid_signature");
  });

  test.each([
    "https://api.paypal.com.evil.example/v1/notifications/certs/CERT-1",
    "https://evil.example/v1/notifications/certs/CERT-1",
    "http://api.paypal.com/v1/notifications/certs/CERT-1",
    "https://api.paypal.com/v1/notifications/certs/CERT-1?next=https://evil.example",
    "https://api.paypal.com/v1/notifications/certs/../../../mine/CERT-1",
    "https://user@api.paypal.com/v1/notifications/certs/CERT-1",
    "https://xapi.paypal.com/v1/notifications/certs/CERT-1",
  ])("never has a certificate fetched from %s", async (url) => {
    expect(await check(signed({ "paypal-cert-url": url }), { texts: { [url]: pem } })).toBe("invalid_signature");
  });

  test("waits for a certificate that cannot be fetched, and is refused with a text that is none", async () => {
    expect(await check(signed(), { texts: {} })).toBe("key_unavailable");
    expect(await check(signed(), { texts: { [CERT]: "<html>" } })).toBe("invalid_signature");
  });

  test("may be four days old, for PayPal retries for three, and no older", async () => {
    expect(await check(signed({ time: "2025-11-08T12:00:01Z" }))).toBe(undefined);
    expect(await check(signed({ time: "2025-11-08T11:59:00Z" }))).toBe("stale_timestamp");
    expect(await check(signed({ time: "2025-11-16T12:01:00Z" }))).toBe("stale_timestamp");
    expect(await check(signed({ time: "now" }))).toBe("invalid_signature");
  });

  test("is incomplete without one of its headers", async () => {
    const { "paypal-auth-algo": _, ...needed } = signed();
    expect(await check(needed)).toBe(undefined);
    for (const name of Object.keys(needed)) {
      const rest = Object.fromEntries(Object.entries(needed).filter(([key]) => key !== name));
      expect([name, await check(rest)]).toEqual([name, "missing_signature"]);
    }
  });

  test("needs a webhook's id as secret: the simulator's WEBHOOK_ID belongs to everyone", async () => {
    expect(await whyUnusable(scheme, "WEBHOOK_ID")).toContain("the webhook's id");
    expect(await whyUnusable(scheme, WEBHOOK)).toBe(undefined);
    expect(await check(signed({}, BODY, "WEBHOOK_ID"), { secrets: ["WEBHOOK_ID"] })).toBe("source_not_configured");
    expect(await check(signed(), { secrets: [] })).toBe("source_not_configured");
  });
});
