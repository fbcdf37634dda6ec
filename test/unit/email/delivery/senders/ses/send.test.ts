import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sesSender } from "../../../../../../src/email/delivery/senders/ses/send.ts";
import type { Message } from "../../../../../../src/email/types/mail-handover.ts";
import { verifySigV4 } from "./sigv4.ts";

const NOW = Date.parse("2026-11-22T10:00:00Z");
const settings = {
  region: "eu-west-1",
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
};
const MESSAGE: Message = {
  id: "snd_1",
  raw: Buffer.from("Subject: x\r\n\r\nGrüße \u{1f600}\r\n"),
  envelope: { from: "b@example.com", to: ["ada@example.net", "bcc@example.net"] },
  smtpUtf8: false,
  token: "acme_1_abcdefghijkl",
};

type Answer = { status?: number; headers?: Record<string, string>; body?: unknown } | Error;

const sendTo = async (answer: Answer, message = MESSAGE, given: object = {}) => {
  const requests: Request[] = [];
  const fetch = async (request: Request) => {
    requests.push(request);
    const refusal = await verifySigV4(request, settings, { region: "eu-west-1", service: "ses", now: NOW });
    if (refusal) throw new Error(`The stand-in refuses: ${refusal}`);
    if (answer instanceof Error) throw answer;
    const { status = 200, headers = {}, body = { MessageId: "0102" } } = answer;
    return new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers });
  };
  const timeout = () => new AbortController().signal;
  const handover = await sesSender({ ...settings, ...given }, { fetch, now: () => NOW, timeout }).send(message);
  return { handover, requests };
};

describe("a mail through Amazon SES", () => {
  it("goes out as one signed request, raw and with its recipients", async () => {
    const { handover, requests } = await sendTo({}, MESSAGE, { configurationSet: "bounces" });
    expect(handover).toEqual({ outcome: "accepted", reply: "0102" });
    expect(requests).toHaveLength(1);
    expect(requests[0]?.url).toBe("https://email.eu-west-1.amazonaws.com/v2/email/outbound-emails");
    expect(await requests[0]?.json()).toEqual({
      Destination: { ToAddresses: ["ada@example.net"], BccAddresses: ["bcc@example.net"] },
      Content: { Raw: { Data: Buffer.from(MESSAGE.raw).toString("base64") } },
      EmailTags: [{ Name: "send", Value: "acme_1_abcdefghijkl" }],
      ConfigurationSetName: "bounces",
    });
  });

  it("is signed whatever its bytes and the secret are", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 100_000 }), async (raw) => {
        const { handover, requests } = await sendTo({}, { ...MESSAGE, raw });
        expect(handover).toMatchObject({ outcome: "accepted" });
        const body = (await requests[0]?.json()) as { Content: { Raw: { Data: string } } };
        expect(Buffer.from(body.Content.Raw.Data, "base64").equals(raw)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it("is signed with the secret: the stand-in refuses another one", async () => {
    const { handover } = await sendTo({}, MESSAGE, { secretAccessKey: "another" });
    expect(handover).toMatchObject({ message: expect.stringContaining("SignatureDoesNotMatch") });
  });
});

describe("a recipient whose local part is not ASCII", () => {
  it("is not asked of SES, which takes none", async () => {
    const to = ["jörg@example.net"];
    const { handover, requests } = await sendTo({}, { ...MESSAGE, envelope: { ...MESSAGE.envelope, to } });
    const message = expect.stringContaining("SMTPUTF8");
    expect(handover).toEqual({ outcome: "refused", about: "content", local: true, message });
    expect(requests).toEqual([]);
  });
});

describe("an error of SES", () => {
  const deferred = { outcome: "deferred" };
  const configuration = { outcome: "deferred", configuration: true };
  const throttled = { outcome: "deferred", throttled: "account" };
  const content = { outcome: "refused", about: "content" };
  it.each([
    [400, "MessageRejected", "Missing final '@domain'", content],
    [400, "MessageRejected", "Email address is not verified. The following identities failed the check", configuration],
    [400, "MailFromDomainNotVerifiedException", "", configuration],
    [400, "BadRequestException", "Illegal address", content],
    [413, "RequestEntityTooLargeException", "", content],
    [404, "NotFoundException", "Configuration set <x> does not exist.", configuration],
    [429, "TooManyRequestsException", "Maximum sending rate exceeded.", throttled],
    [400, "LimitExceededException", "Daily message quota exceeded.", throttled],
    [400, "ThrottlingException", "Rate exceeded", throttled],
    [400, "AccountSuspendedException", "", configuration],
    [400, "SendingPausedException", "", configuration],
    [403, "AccessDeniedException", "", configuration],
    [403, "SignatureDoesNotMatch", "", configuration],
    [403, "UnrecognizedClientException", "The security token is invalid.", configuration],
    [403, "ExpiredTokenException", "", configuration],
    [400, "SomethingNewException", "", configuration],
    [503, "ServiceUnavailable", "", deferred],
    [500, "InternalFailure", "", { outcome: "unknown" }],
    [500, "InternalServiceErrorException", "", { outcome: "unknown" }],
  ])("%i %s %s", async (status, type, message, expected) => {
    for (const answer of [
      { status, headers: { "x-amzn-errortype": `${type}:http://internal.amazon.com/coral/` }, body: { message } },
      { status, body: { __type: `com.amazonaws.sesv2#${type}`, Message: message } },
    ]) {
      const { handover } = await sendTo(answer);
      expect(handover).toEqual({ ...expected, message: expect.stringContaining(message) });
    }
  });

  it.each([
    ["a lost connection", new Error("network connection lost")],
    ["a timeout", new DOMException("timed out", "TimeoutError") as Error],
    ["an answer that is no JSON", { body: "<html>" }],
    ["an answer without MessageId", { body: {} }],
    ["a page of a proxy", { status: 502, body: "<html>bad gateway" }],
    ["a refusal without the form of AWS", { status: 403, body: "<html>blocked" }],
    ["a redirect", { status: 302, headers: { Location: "https://example.com" }, body: "" }],
  ] as [string, Answer][])("%s leaves an unknown outcome", async (_what, answer) => {
    const { handover, requests } = await sendTo(answer);
    expect(handover).toMatchObject({ outcome: "unknown" });
    expect(requests).toHaveLength(1);
  });
});
