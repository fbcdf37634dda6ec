import { describe, expect, it } from "vitest";
import { withMetadata } from "../../../../../../src/email/delivery/senders/smtp/metadata.ts";

const message = {
  id: "snd_1",
  envelope: { from: "b@example.com", to: ["ada@example.net"] },
  smtpUtf8: false,
  raw: new TextEncoder().encode("DKIM-Signature: v=1\r\nSubject: x\r\n\r\nHello\r\n"),
  token: "acme_1_abcdefghijkl",
};
const text = (host: string, given: Parameters<typeof withMetadata>[0] = message) =>
  new TextDecoder().decode(withMetadata(given, host).raw);

describe("a mail to a mail provider that repeats metadata in its webhooks", () => {
  it.each([
    ["smtp.postmarkapp.com", "X-PM-Metadata-send: acme_1_abcdefghijkl"],
    ["smtp.sendgrid.net", 'X-SMTPAPI: {"unique_args":{"send":"acme_1_abcdefghijkl"}}'],
    ["smtp.eu.mailgun.org", 'X-Mailgun-Variables: {"send":"acme_1_abcdefghijkl"}'],
  ])("names its send, before the signature: %s", (host, field) => {
    expect(text(host)).toBe(`${field}\r\nDKIM-Signature: v=1\r\nSubject: x\r\n\r\nHello\r\n`);
  });

  it("stays as it is for any other mail provider, and without a token", () => {
    const plain = text("smtp.example.com");
    expect(plain).toMatch(/^DKIM-Signature/);
    const { token: _, ...without } = message;
    expect([text("postmarkapp.com.example.com"), text("smtp.postmarkapp.com", without)]).toEqual([plain, plain]);
  });
});
