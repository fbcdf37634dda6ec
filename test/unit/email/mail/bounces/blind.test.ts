import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { classify, codesIn } from "../../../../../src/email/mail/bounces/classify.ts";
import { parseReport } from "../../../../../src/email/mail/bounces/parse.ts";
import { FORMS } from "./blind/forms.ts";
import { filled, type Row } from "./blind/mail.ts";
import { confusionOf } from "./corpus/confusion.ts";
import { NOTICES } from "./corpus/notices.ts";
import { REPORTS } from "./corpus/reports.ts";

/**
 * The blind part: written without a look at the classifier, and never used for mending it. A mail that is read wrong
 * stays in it, wrong, until the classifier improves for another reason.
 */
const table = <T>(name: string): T[] =>
  JSON.parse(readFileSync(join("test", "fixtures", "email", "blind-bounces", name), "utf8")) as T[];

const rows = table<Row>("reports.json");
const mails = rows.map((row, at) => {
  const mail = filled(row, at + 1);
  return { row, mail, text: (FORMS[row.form] as (typeof FORMS)[string])(mail).replaceAll("\n", "\r\n") };
});

const readings = await Promise.all(
  mails.map(async ({ row, mail, text }) => {
    const { feedback } = await parseReport(new TextEncoder().encode(text));
    const theirs = feedback.find((one) => row.rcpt && JSON.stringify(one).toLowerCase().includes(row.rcpt));
    const got = (theirs ?? feedback[0])?.kind ?? "none";
    return { truth: row.truth, got, what: `${row.form}, ${row.why}`, mail, text };
  }),
);

it("holds at least a third of all reports, in the forms of at least 15 servers", () => {
  const own = Object.values(REPORTS).flat().length + NOTICES.length;
  expect(rows.length + own).toBeGreaterThanOrEqual(200);
  expect(rows.length).toBeGreaterThan((rows.length + own) / 3);
  expect(new Set(rows.map(({ form }) => form)).size).toBeGreaterThanOrEqual(15);
});

it("has reports read as what they are", () => {
  const { text, wrong, recall, precision } = confusionOf(readings);
  console.log(`blind reports\n${text}\n${wrong.join("\n")}`);
  expect(precision("hard")).toBeGreaterThanOrEqual(0.99);
  expect(recall("hard")).toBeGreaterThanOrEqual(0.95);
  expect(recall("policy")).toBeGreaterThanOrEqual(0.9);
  expect([recall("complaint"), precision("complaint")]).toEqual([1, 1]);
});

it("has no automatic answer taken for a bounce, and no mail of a person that would suppress", () => {
  const others = readings.filter(({ truth }) => truth === "none");
  const automatic = others.filter(
    ({ mail, text }) =>
      mail.form === "mdn" || /^(Auto-Submitted|Precedence):/m.test(text.split("\r\n\r\n", 1)[0] ?? ""),
  );
  expect(automatic.length).toBeGreaterThan(8);
  expect(automatic.filter(({ got }) => got !== "none")).toEqual([]);
  expect(others.filter(({ got }) => got === "hard" || got === "complaint")).toEqual([]);
});

it("has replies read as what they are", () => {
  const replies = table<{ truth: string; reply: string }>("replies.json");
  const { text, wrong, recall, precision } = confusionOf(
    replies.map(({ truth, reply }) => ({ truth, got: classify(codesIn(reply), reply), what: reply })),
  );
  console.log(`blind replies\n${text}\n${wrong.join("\n")}`);
  expect(precision("hard")).toBeGreaterThanOrEqual(0.99);
  expect(recall("hard")).toBeGreaterThanOrEqual(0.95);
  expect(recall("policy")).toBeGreaterThanOrEqual(0.9);
});
