import { describe, expect, it } from "vitest";
import { readCloudflare } from "../../../../../src/email/mail/bounces/providers/cloudflare.ts";

const event = (type: string, payload: object = {}, source: object = { domain: "example.com" }) => ({
  type: `cf.email.sending.message.${type}`,
  source: { type: "email.sending", zoneId: "z1", ...source },
  payload: { eventId: "e1", messageId: "m1", sender: "hi@mail.example.com", recipient: "ada@example.net", ...payload },
  metadata: { eventSchemaVersion: 1, eventTimestamp: "2026-06-01T02:48:57.132Z" },
});
const saying = (smtpResponse: string, type = "hard") => ({ delivery: { smtpResponse }, bounce: { type } });

describe("an event of Cloudflare Email Service", () => {
  it.each([
    ["delivered", { delivery: { smtpResponse: "250 2.0.0 OK" } }, "delivered"],
    ["deferred", saying("451 4.2.0 try later", "soft"), "delayed"],
    ["bounced", saying("550 5.1.1 User unknown"), "hard"],
    ["bounced", saying("552 5.2.2 mailbox full"), "soft"],
    ["bounced", saying("550 5.7.1 blocked: your IP is on a blocklist"), "policy"],
    ["bounced", { bounce: { type: "hard" } }, "hard"],
    ["bounced", { bounce: { type: "soft" } }, "soft"],
    ["bounced", {}, "soft"],
    ["failed", { failure: { reason: "delivery_failed" } }, "soft"],
    ["rejected", { rejection: { reason: "suppressed", detail: "Recipient is suppressed" } }, "hard"],
    ["rejected", { rejection: { reason: "spam" } }, "policy"],
    ["rejected", { rejection: { reason: "validation_failed" } }, "content"],
    ["rejected", {}, "policy"],
    ["complained", { complaint: { type: "abuse" } }, "complaint"],
    ["complained", {}, "complaint"],
  ])("%s with %j is %s", (type, payload, kind) => {
    expect(readCloudflare(event(type, payload))?.feedback.kind).toBe(kind);
  });

  it("names the mail, the domains that may name its team, words, codes and time", () => {
    expect(readCloudflare(event("bounced", saying("550 5.1.1 User unknown")))).toEqual({
      recipient: "ada@example.net",
      reply: "m1",
      domains: ["mail.example.com", "example.com"],
      feedback: {
        kind: "hard",
        recipient: "ada@example.net",
        code: "5.1.1",
        replyCode: 550,
        message: "550 5.1.1 User unknown",
        at: Date.parse("2026-06-01T02:48:57.132Z"),
      },
    });
  });

  it.each([
    ["a complaint that was taken back", event("complained", { complaint: { type: "not-spam" } })],
    ["an event of another kind", event("opened")],
    ["an event of another product", { ...event("bounced"), type: "cf.r2.bucket.created" }],
    ["one without a recipient", event("bounced", { recipient: "" })],
    ["one without the id of its mail", event("bounced", { messageId: undefined })],
    ["an id that is no text", event("bounced", { messageId: { id: 7 } })],
    ["no object", "bounced"],
    ["nothing", null],
  ])("is nothing: %s", (_, body) => {
    expect(readCloudflare(body)).toBeUndefined();
  });
});
