import { describe, expect, it } from "vitest";
import { refusalOf } from "../../../../../src/email/delivery/senders/smtp/classify.ts";
import { createReplyReader } from "../../../../../src/email/delivery/senders/smtp/reply-reader.ts";
import { classify, codesIn } from "../../../../../src/email/mail/bounces/classify.ts";
import { parseReport } from "../../../../../src/email/mail/bounces/parse.ts";
import { confusionOf, type Read } from "./corpus/confusion.ts";
import { FORMS } from "./corpus/forms.ts";
import { NOTICES } from "./corpus/notices.ts";
import { REPLIES } from "./corpus/replies.ts";
import { REPORTS } from "./corpus/reports.ts";

const KINDS = ["hard", "soft", "content", "policy"] as const;

const isGood = (title: string, read: readonly Read[]) => {
  const { wrong, recall, precision, text } = confusionOf(read);
  console.log(`${title}\n${text}`);
  expect(wrong).toEqual([]);
  expect(precision("hard")).toBeGreaterThanOrEqual(0.99);
  expect(recall("hard")).toBeGreaterThanOrEqual(0.95);
  expect(recall("policy")).toBeGreaterThanOrEqual(0.9);
};

describe("reports in the forms of many mail servers", () => {
  const all = KINDS.flatMap((truth) =>
    REPORTS[truth].map(([form, reply, more]) => ({ truth, form, said: { reply, ...more } })),
  );

  it("are at least 140, of 15 forms, and at least ten of each kind", () => {
    expect(all.length).toBeGreaterThanOrEqual(140);
    expect(new Set(all.map(({ form }) => form)).size).toBeGreaterThanOrEqual(15);
    for (const kind of KINDS) expect(REPORTS[kind].length).toBeGreaterThanOrEqual(10);
  });

  it("are read as what they are", async () => {
    const read = await Promise.all(
      all.map(async ({ truth, form, said }) => {
        const { feedback } = await parseReport(new TextEncoder().encode(FORMS[form](said)));
        return { truth, got: feedback.map(({ kind }) => kind).join(" "), what: `${form}: ${said.reply}` };
      }),
    );
    isGood("own reports", read);
  });
});

it.each(NOTICES)("a mail is read as %j: %s", async (kinds, _, mail) => {
  const { feedback } = await parseReport(new TextEncoder().encode(mail));
  expect(feedback.map(({ kind }) => kind).join(" ")).toBe(kinds);
});

describe("replies of many mail servers", () => {
  const all = KINDS.flatMap((truth) => REPLIES[truth].map((reply) => ({ truth, reply })));

  it("are read as what they are", () => {
    isGood(
      "own replies",
      all.map(({ truth, reply }) => ({ truth, got: classify(codesIn(reply), reply), what: reply })),
    );
  });

  it("suppress the address at once if it does not exist, and no other", () => {
    const reports = KINDS.flatMap((truth) =>
      REPORTS[truth].flatMap(([, reply, more]) => (more?.stage === undefined ? [{ truth, reply }] : [])),
    );
    const replies = [...all, ...reports].filter(({ reply }) => /^[45]\d\d[ -][^\r]*$/.test(reply));
    const suppressed = replies.filter(({ reply }) => {
      const reader = createReplyReader();
      reader.feed(new TextEncoder().encode(`${reply.replace(/^(\d\d\d)-/, "$1 ")}\r\n`));
      const said = reader.next();
      const handover = said && refusalOf("RCPT", said);
      return handover?.outcome === "refused" && handover.about === "recipient";
    });
    expect(suppressed.filter(({ truth }) => truth !== "hard")).toEqual([]);
    expect(suppressed.length).toBeGreaterThan(0.95 * replies.filter(({ truth }) => truth === "hard").length);
  });
});
