import fc from "fast-check";
import type { Attachment, Mail, Mailbox } from "../../../../../src/email/types/mail-handover.ts";

const START = Date.UTC(2026, 0, 2, 3, 4, 5);

export const mail = (changes: Omit<Partial<Mail>, "class"> = {}): Mail => ({
  id: "snd_a1B2",
  team: "acme",
  class: "transactional",
  messageId: "<snd_a1B2@acme.example>",
  date: START,
  from: { name: "Sam", address: "hello@acme.example" },
  to: [{ address: "ada@example.com" }],
  cc: [],
  bcc: [],
  replyTo: [],
  subject: "Hello",
  html: "<p>Hello</p>",
  text: "Hello",
  attachments: [],
  ...changes,
});

const control = /\p{Cc}/gu;

export const line = fc
  .oneof(
    { weight: 4, arbitrary: fc.string({ unit: "grapheme", maxLength: 60 }) },
    { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 300 }) },
    { weight: 2, arbitrary: fc.string({ unit: "grapheme-ascii", maxLength: 200 }) },
    {
      weight: 2,
      arbitrary: fc
        .array(
          fc.constantFrom(
            "Grüße",
            "=?UTF-8?Q?x?=",
            "=?",
            " ",
            "  ",
            '"',
            "\\",
            ",",
            "<a@b.co>",
            "x".repeat(80),
            "👩‍👩‍👧",
            "田中",
          ),
          {
            maxLength: 12,
          },
        )
        .map((parts) => parts.join("")),
    },
    { weight: 1, arbitrary: fc.integer({ min: 900, max: 10_000 }).map((length) => "é".repeat(length)) },
    { weight: 1, arbitrary: fc.integer({ min: 900, max: 10_000 }).map((length) => "x".repeat(length)) },
  )
  .map((text) => text.replace(control, ""));

const local = fc.oneof(
  fc.stringMatching(/^[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]{1,20}(\.[a-zA-Z0-9]{1,20})?$/),
  fc.constantFrom("grüße", "田中", "x".repeat(64)),
);
const domain = fc.constantFrom("example.com", "MÜNCHEN.example", "xn--mnchen-3ya.example", `${"a".repeat(63)}.example`);
const address = fc.tuple(local, domain).map((parts) => parts.join("@"));
const mailbox: fc.Arbitrary<Mailbox> = fc.record({ name: line, address });

const body = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 120 }),
      fc.string({ unit: "grapheme-ascii", maxLength: 200 }),
      fc.constantFrom(
        "\r\n",
        "\n",
        "\r",
        "From here",
        ".",
        "..",
        "--=_asnda1B2",
        "--=_asnda1B2--",
        " ",
        "\t",
        "=",
        "é",
        "田中 ",
        "x".repeat(2_000),
      ),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(""));

const attachment: fc.Arbitrary<Attachment> = fc.record({
  filename: line.filter((name) => name.trim() === name && name !== ""),
  contentType: fc.constantFrom(
    "application/pdf",
    "text/csv; charset=utf-8",
    "image/svg+xml",
    "application/vnd.ms-excel",
  ),
  content: fc.uint8Array({ maxLength: 3_000 }),
});

const common = {
  id: fc.stringMatching(/^snd_[a-z0-9]{1,30}$/),
  team: fc.constant("acme"),
  messageId: fc.stringMatching(/^<[a-z0-9_.]{1,80}@acme\.example>$/),
  date: fc.integer({ min: 0, max: 4_102_444_800_000 }),
  from: mailbox,
  to: fc.array(mailbox, { minLength: 1, maxLength: 4 }),
  cc: fc.array(mailbox, { maxLength: 3 }),
  bcc: fc.array(
    address.map((one) => ({ address: `secret-${one}` })).filter(({ address }) => address.indexOf("@") < 30),
    { maxLength: 2 },
  ),
  replyTo: fc.array(mailbox, { maxLength: 2 }),
  subject: line,
  html: body,
  text: body,
  attachments: fc.array(attachment, { maxLength: 2 }),
};

export const mails: fc.Arbitrary<Mail> = fc.oneof(
  fc.record({ ...common, class: fc.constant("transactional" as const) }),
  fc.record({
    ...common,
    class: fc.constant("marketing" as const),
    listId: fc.constantFrom("news.acme.example", "a-1.lists.acme.example"),
    unsubscribeUrl: fc.stringMatching(/^https:\/\/mail\.acme\.example\/u\/[A-Za-z0-9_.-]{1,800}$/),
  }),
);
