import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toData } from "../../../../../../src/email/delivery/senders/smtp/data.ts";
import { createReplyReader } from "../../../../../../src/email/delivery/senders/smtp/reply-reader.ts";
import { messageOf, poolTo } from "./send.ts";

const block = (text: string) => {
  const data = toData(Buffer.from(text, "latin1"));
  return "problem" in data ? data.problem : Buffer.from(data.bytes).toString("latin1");
};

describe("the data block", () => {
  it.each([
    ["a\r\n", "a\r\n.\r\n"],
    ["a", "a\r\n.\r\n"],
    ["", ".\r\n"],
    [".", "..\r\n.\r\n"],
    [".a\r\n..\r\nb.\r\n.\r\n", "..a\r\n...\r\nb.\r\n..\r\n.\r\n"],
  ])("of %j is %j", (text, expected) => expect(block(text)).toBe(expected));

  it.each(["a\nb\r\n", "a\rb\r\n", "\n", "a\r", "a\r\r\n", "a\r\n\n.\r\n", "a\n.\r\n", "a\r\n.\r"])(
    "of %j is not made: servers disagree on such line ends",
    (text) => expect(block(text)).toMatch(/without/),
  );

  it("says whether there are 8-bit bytes", () => {
    expect(toData(Buffer.from("a\r\n"))).toMatchObject({ eightBit: false });
    expect(toData(Buffer.from("ä\r\n"))).toMatchObject({ eightBit: true });
  });
});

const line = fc.oneof(
  fc.constantFrom("", ".", "..", ".a", "a."),
  fc
    .uint8Array({ maxLength: 200 })
    .map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 10 && byte !== 13)).toString("latin1")),
);
const raw = fc
  .array(line, { maxLength: 60 })
  .map((lines) => Buffer.from(lines.map((text) => `${text}\r\n`).join(""), "latin1"));

const cutBy = (sizes: readonly number[]) => {
  let n = 0;
  return (bytes: Uint8Array): Uint8Array[] => {
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; ) {
      const size = sizes[n++ % sizes.length] ?? 1;
      pieces.push(bytes.subarray(at, at + size));
      at += size;
    }
    return pieces;
  };
};
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 });

describe("whatever the bytes are", () => {
  it("a message arrives unchanged", async () => {
    await fc.assert(
      fc.asyncProperty(raw, async (bytes) => {
        const { send, seen } = poolTo({});
        expect(await send(messageOf("", { raw: bytes }))).toMatchObject({ outcome: "accepted" });
        expect(Buffer.from(seen.mails[0]?.data ?? []).equals(bytes)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it("replies in any pieces mean the same", async () => {
    const replies = fc.constantFrom(
      "250 2.0.0 ok",
      "550-5.1.1 no\r\n550 5.1.1 such user",
      "421 4.3.2 down",
      "452 later",
      "554-a\r\n554-b\r\n554 c",
    );
    await fc.assert(
      fc.asyncProperty(sizes, replies, fc.constantFrom("MAIL", "RCPT", "end"), async (cuts, reply, stage) => {
        const at = { [stage]: reply as "2" };
        const whole = await poolTo({ at }).send();
        expect(await poolTo({ at }, { pieces: cutBy(cuts) }).send()).toEqual(whole);
      }),
      { numRuns: 150 },
    );
  });

  it("bytes that are no replies throw, or are read, in bounded memory and time", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 3_000 }), { maxLength: 10 }), (chunks) => {
        const reader = createReplyReader();
        try {
          for (const chunk of chunks) reader.feed(chunk);
        } catch (error) {
          expect((error as Error).message.length).toBeLessThan(200);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("the text of a reply", () => {
  it("has no control characters and is bounded", () => {
    const reader = createReplyReader();
    reader.feed(Buffer.from(`250-a\u001b[31m\0b\r\n${"250-c\r\n".repeat(100)}250 ${"d".repeat(2_000)}\r\n`));
    const reply = reader.next();
    expect(reply?.text).toMatch(/^a \[31m b c c/);
    expect(reply?.text).toHaveLength(500);
  });
});
