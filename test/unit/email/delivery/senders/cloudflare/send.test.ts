import { describe, expect, it } from "vitest";
import { cloudflareSender } from "../../../../../../src/email/delivery/senders/cloudflare/send.ts";
import type { Message } from "../../../../../../src/email/types/mail-handover.ts";

const MESSAGE: Message = {
  id: "snd_1",
  raw: Buffer.from('Subject: x\r\nFrom: "Ada, of <b@c>"\r\n <ada@example.com>\r\n\r\nFrom: <no@example.com>\r\n\xe4'),
  envelope: { from: "bounce+1@envelope.example.com", to: ["a@example.net"] },
  smtpUtf8: false,
};

const sendTo = async (answer: (to: string) => { messageId: string }, message = MESSAGE) => {
  const sent: { from: string; to: string; raw: Buffer }[] = [];
  const raws = new Map<EmailMessage, ReadableStream>();
  const sender = cloudflareSender({
    message: (from, to, raw) => {
      const mail = { from, to } as EmailMessage;
      raws.set(mail, raw);
      return mail;
    },
    async send(mail) {
      sent.push({
        from: mail.from,
        to: mail.to,
        raw: Buffer.from(await new Response(raws.get(mail) ?? null).arrayBuffer()),
      });
      return answer(mail.to);
    },
  });
  return { handover: await sender.send(message), sent };
};

const failing = (code?: string) => () => {
  throw Object.assign(new Error("it said so"), code ? { code } : {});
};

describe("a mail through Cloudflare's binding", () => {
  it("goes out as composed, from the address of its From header", async () => {
    const { handover, sent } = await sendTo(() => ({ messageId: "<1@cf>" }));
    expect(handover).toEqual({ outcome: "accepted", reply: "<1@cf>" });
    expect(sent).toEqual([{ from: "ada@example.com", to: "a@example.net", raw: Buffer.from(MESSAGE.raw) }]);
  });

  it("finds the address of a From header without a name", async () => {
    const { sent } = await sendTo(() => ({ messageId: "1" }), {
      ...MESSAGE,
      raw: Buffer.from("from: ada@example.com\r\n\r\n"),
    });
    expect(sent[0]?.from).toBe("ada@example.com");
  });

  it("is one mail for each recipient: a refused copy is reported", async () => {
    const envelope = { from: "b@example.com", to: ["a@example.net", "b@example.net", "c@example.net"] };
    const answer = (to: string) => (to.startsWith("b") ? failing("E_RECIPIENT_SUPPRESSED")() : { messageId: to });
    const { handover, sent } = await sendTo(answer, { ...MESSAGE, envelope });
    expect(sent.map(({ to }) => to)).toEqual(envelope.to);
    const message = "Cloudflare answered E_RECIPIENT_SUPPRESSED: it said so";
    expect(handover).toEqual({
      outcome: "accepted",
      reply: "a@example.net",
      refusedCopies: [{ to: "b@example.net", message }],
    });
  });

  it("to a refused main recipient goes to no copy", async () => {
    const envelope = { from: "b@example.com", to: ["a@example.net", "b@example.net"] };
    const { handover, sent } = await sendTo(failing("E_RECIPIENT_SUPPRESSED"), { ...MESSAGE, envelope });
    expect([handover.outcome, sent.length]).toEqual(["refused", 1]);
  });

  it.each([
    ["E_VALIDATION_ERROR", { outcome: "refused", about: "content" }],
    ["E_FIELD_MISSING", { outcome: "refused", about: "content" }],
    ["E_TOO_MANY_RECIPIENTS", { outcome: "refused", about: "content" }],
    ["E_TOO_MANY_ATTACHMENTS", { outcome: "refused", about: "content" }],
    ["E_CONTENT_TOO_LARGE", { outcome: "refused", about: "content" }],
    ["E_HEADER_NOT_ALLOWED", { outcome: "refused", about: "content" }],
    ["E_HEADER_USE_API_FIELD", { outcome: "refused", about: "content" }],
    ["E_HEADER_VALUE_INVALID", { outcome: "refused", about: "content" }],
    ["E_HEADER_VALUE_TOO_LONG", { outcome: "refused", about: "content" }],
    ["E_HEADER_NAME_INVALID", { outcome: "refused", about: "content" }],
    ["E_HEADERS_TOO_LARGE", { outcome: "refused", about: "content" }],
    ["E_HEADERS_TOO_MANY", { outcome: "refused", about: "content" }],
    ["E_SENDER_NOT_VERIFIED", { outcome: "deferred", configuration: true }],
    ["E_SENDER_DOMAIN_NOT_AVAILABLE", { outcome: "deferred", configuration: true }],
    ["E_RECIPIENT_NOT_ALLOWED", { outcome: "refused", about: "policy" }],
    ["E_RECIPIENT_SUPPRESSED", { outcome: "refused", about: "recipient" }],
    ["E_DELIVERY_FAILED", { outcome: "deferred" }],
    ["E_RATE_LIMIT_EXCEEDED", { outcome: "deferred", throttled: "account" }],
    ["E_DAILY_LIMIT_EXCEEDED", { outcome: "deferred", throttled: "account" }],
    ["E_INTERNAL_SERVER_ERROR", { outcome: "unknown" }],
    ["E_NEW_CODE", { outcome: "unknown" }],
    [undefined, { outcome: "unknown" }],
  ])("refused with %s", async (code, expected) => {
    const { handover } = await sendTo(failing(code));
    expect(handover).toEqual({ ...expected, message: expect.stringContaining(code ?? "the mail: it said so") });
  });
});
