import { describe, expect, it } from "vitest";
import { ForeignAnswerError } from "../../../../src/lib/contract/client.ts";
import { CALL } from "../../../../src/lib/contract/echo.ts";
import { createAnswerCheck, withCall } from "../../../../src/outbox/dispatch/own-answer.ts";

const URL = "https://host.test/v1/events/send";
const KEY_CHECK = "https://host.test/v1/api-key";
const sent = withCall({ headers: { "Idempotency-Key": "key 1" } }, "call 1");
const json = (headers: Record<string, string>, status = 200) => Response.json({ success: true }, { status, headers });
const page = () => new Response("<html>", { headers: { "Content-Type": "text/html" } });
const other = expect.objectContaining({
  message: expect.stringMatching(/answered \d+ with the answer of another request/),
});

it.each([
  ["an object", { headers: { "Idempotency-Key": "k" } }],
  ["a list", { headers: [["Idempotency-Key", "k"]] as [string, string][] }],
  ["nothing", {}],
])("a request is marked, whatever form its headers have: %s", (_, init) => {
  expect(new Headers(withCall(init, "call 1").headers).get(CALL)).toBe("call 1");
});

describe("an answer is refused that", () => {
  it.each([
    ["has the mark of another request", { [CALL]: "call 0" }],
    ["has the key of another request", { [CALL]: "call 1", "Idempotency-Key": "key 0" }],
    ["has the key of another request, without a mark", { "Idempotency-Key": "key 0" }],
  ])("%s", (_, headers) => {
    const answer = json(headers);
    expect(() => createAnswerCheck()(URL, sent, answer)).toThrow(ForeignAnswerError);
    expect(() => createAnswerCheck()(URL, sent, json(headers))).toThrow(other);
  });

  it("has a key where none was sent", () => {
    expect(() => createAnswerCheck()(URL, withCall({}, "call 1"), json({ "Idempotency-Key": "key 0" }))).toThrow(other);
  });

  it("has no mark, where the email service marks its answers: success and refusal", () => {
    const check = createAnswerCheck();
    check(URL, sent, json({ [CALL]: "call 1" }));
    expect(() => check(URL, sent, json({}))).toThrow(other);
    expect(() => check(URL, sent, json({}, 400))).toThrow(other);
    expect(check(URL, sent, json({ [CALL]: "call 1" })).status).toBe(200);
  });
});

describe("an answer is believed that", () => {
  it("has its own mark and key", () => {
    const answer = json({ [CALL]: "call 1", "Idempotency-Key": "key 1" });
    expect(createAnswerCheck()(URL, sent, answer)).toBe(answer);
  });

  it("comes from an email service that marks nothing", () => {
    const check = createAnswerCheck();
    for (let n = 0; n < 3; n++) expect(check(URL, sent, json({})).status).toBe(200);
  });

  it("has no mark after a key check had none: the email service is an earlier version by now", () => {
    const check = createAnswerCheck();
    check(URL, sent, json({ [CALL]: "call 1" }));
    check(KEY_CHECK, withCall({}, "call 2"), json({}));
    expect(check(URL, sent, json({})).status).toBe(200);
  });

  it("is a web page or a 500, which is read as such", () => {
    const check = createAnswerCheck();
    check(URL, sent, json({ [CALL]: "call 1" }));
    expect(check(URL, sent, page()).status).toBe(200);
    expect(check(URL, sent, json({}, 503)).status).toBe(503);
  });
});
