import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compile, compileLine } from "../../../../src/lib/lmx/compile.ts";
import { inFile, readFile } from "../../../../src/lib/lmx/file.ts";

const found = (text: string): string[] =>
  readFile(text).problems.map(
    ({ line, column, severity, code, message }) => `${line}:${column} ${severity} ${code}: ${message}`,
  );
const head = (...lines: string[]): string => ["---", ...lines, "---", "<H1>x</H1>"].join("\n");

describe("a message as a file", () => {
  it("is LMX alone, or LMX after its front matter", () => {
    expect(readFile("<H1>x</H1>\n").file).toEqual({
      fields: {},
      values: {},
      fallbacks: {},
      lmx: "<H1>x</H1>\n",
      positions: { lmx: { line: 1, column: 1 } },
    });
    const text = `---
# A comment, then a blank line

id: tpl_receipt
name: Receipt
subject: Paid: {data.amount}
  previewText :  With space around
fromName: {data.company}
fromEmail: billing
replyToEmail: help@example.com
ccEmail:
bccEmail: log@example.com
languageCode: pt-BR
emailFormat: plain
theme: calm
data.amount: $49.00
data.note:
contact.firstName: Ada
event.plan: Team
fallback.data.company: Acme
---
<H1>Paid</H1>
`;
    expect(readFile(text)).toEqual({
      problems: [],
      file: {
        fields: {
          id: "tpl_receipt",
          name: "Receipt",
          subject: "Paid: {data.amount}",
          previewText: "With space around",
          fromName: "{data.company}",
          fromEmail: "billing",
          replyToEmail: "help@example.com",
          bccEmail: "log@example.com",
          languageCode: "pt-BR",
          emailFormat: "plain",
          theme: "calm",
        },
        values: { "data.amount": "$49.00", "data.note": "", "contact.firstName": "Ada", "event.plan": "Team" },
        fallbacks: { "data.company": "Acme" },
        lmx: "<H1>Paid</H1>\n",
        positions: expect.objectContaining({
          subject: { line: 6, column: 10 },
          previewText: { line: 7, column: 18 },
          "fallback.data.company": { line: 20, column: 24 },
          lmx: { line: 22, column: 1 },
        }),
      },
    });
  });

  it.each([
    ["a byte order mark", "\uFEFF---\nsubject: Hi\n---\n<H1>x</H1>\n"],
    ["CRLF", "---\r\nsubject: Hi\r\n---\r\n<H1>x</H1>\r\n"],
    ["tabs", "---\t\n\tsubject\t:\tHi\t\n--- \n<H1>x</H1>\n"],
    ["blank lines before", "\n \n---\nsubject: Hi\n---\n<H1>x</H1>\n"],
  ])("may have %s", (_, text) => {
    expect(readFile(text)).toMatchObject({ problems: [], file: { fields: { subject: "Hi" }, lmx: "<H1>x</H1>\n" } });
  });

  it("has spaces in the place of tabs inside a value, because a subject has none", () => {
    expect(readFile(head("subject: a\tb")).file.fields.subject).toBe("a b");
  });

  it.each([
    [
      "---\nsubject: Hi\n<H1>x</H1>",
      "1:1 error unclosed_front_matter: The front matter has no end: add a line --- after it",
    ],
    [head("subject: Hi", "hello"), '3:1 error bad_line: "hello" is no key with a value: write key: value'],
    [head("  subjct: Hi"), '2:3 error unknown_key: There is no key "subjct": did you mean subject?'],
    [head("Preview text: Hi"), '2:1 error unknown_key: There is no key "Preview text": did you mean previewText?'],
    [head("data.: Hi"), '2:1 error unknown_key: There is no key "data.": variables are named such as data.name'],
    [
      head("contct.name: Ada"),
      '2:1 error unknown_key: There is no key "contct.name": variables are named such as contact.firstName',
    ],
    [
      head("fallback.name: there"),
      '2:1 error unknown_key: There is no key "fallback.name": variables are named such as fallback.data.name',
    ],
    [
      head("color of it: red"),
      '2:1 error unknown_key: There is no key "color of it": the keys are id, name, subject, previewText, fromName, fromEmail, replyToEmail, ccEmail, bccEmail, languageCode, emailFormat, theme, and variables such as data.name, contact.firstName, event.plan, fallback.data.name',
    ],
    [head("name: A", "", "name: B"), "4:1 error duplicate_key: name stands here a second time: remove one of them"],
    [head("data.a: 1", "data.a: 2"), "3:1 error duplicate_key: data.a stands here a second time: remove one of them"],
    [head("emailFormat:  html"), "2:15 error bad_value: emailFormat is html: give styled or plain"],
    [
      head("languageCode: en_US"),
      "2:15 error bad_value: languageCode is en_US: give a language tag such as en or pt-BR",
    ],
    [
      head("theme: ../../secret"),
      "2:8 error bad_value: theme is ../../secret: give the name of a theme file without its ending: letters, digits, _ and -",
    ],
    [head("id: a b"), "2:5 error bad_value: id is a b: give letters, digits, _ and -"],
    [
      head('subject: "Hi"'),
      "2:10 warning quoted_value: The quotes are a part of the value: remove them if they should not be shown",
    ],
  ])("says what is wrong in %j", (text, problem) => expect(found(text)).toEqual([problem]));

  it("keeps the rest of a front matter with a fault, and the first of two values", () => {
    const { file } = readFile(head("nme: A", "subject: B", "subject: C"));
    expect(file.fields).toEqual({ subject: "B" });
    expect(file.lmx).toBe("<H1>x</H1>");
  });

  it("gives the problems of LMX and fields their places in the file", () => {
    const text = `---\nsubject: Hi {name}\n---\n<H1>x</H1>\n  <Paragraf>y</Paragraf>`;
    const { file } = readFile(text);
    const [tag] = compile(file.lmx, "transactional").problems;
    const [variable] = compileLine(file.fields.subject ?? "", "transactional").problems;
    if (!tag || !variable) throw new Error("no problem");
    const lines = text.split("\n");
    const at = ({ line, column }: { line: number; column: number }) => lines[line - 1]?.slice(column - 1);
    expect(at(inFile(tag, file))).toBe("<Paragraf>y</Paragraf>");
    expect(at(inFile(variable, file, "subject"))).toBe("{name}");
    expect(inFile(variable, file, "fromName")).toMatchObject({ line: 1 });
  });

  it("gives the lines that a message names the places in the file, but not those in a component", () => {
    const { file } = readFile("---\nsubject: Hi\n---\n<H1>x\n</H2>\n</H1>");
    const [tag] = compile(file.lmx, "transactional").problems;
    if (!tag) throw new Error("no problem");
    expect(tag).toMatchObject({ line: 2, message: expect.stringContaining("close <H1> of line 1 with") });
    expect(inFile(tag, file)).toMatchObject({
      line: 5,
      column: 1,
      code: "mismatched_tag",
      message: "</H2> does not match <H1>: close <H1> of line 4 with </H1> first",
    });

    const library = { components: { cmp_x: { name: "X", lmx: "<H1>x\n</H2>\n</H1>" } } };
    const used = { ...file, lmx: '<Component componentId="cmp_x"/>' };
    const [inside] = compile(used.lmx, "transactional", {}, library).problems;
    if (!inside) throw new Error("no problem");
    expect(inside).toMatchObject({ line: 1, code: "mismatched_tag", component: { line: 2 } });
    expect(inFile(inside, used)).toEqual({ ...inside, line: 4 });
  });

  it("never throws, and every problem has a place in the file", () => {
    const piece = fc.constantFrom(
      "---",
      "\n",
      "\r\n",
      "\r",
      "subject",
      ":",
      " ",
      "\t",
      "data.a",
      "#",
      "<H1>",
      "\u2028",
    );
    const text = fc.array(fc.oneof(piece, fc.string())).map((all) => `---\n${all.join("")}`);
    fc.assert(
      fc.property(text, (source) => {
        const lines = source.replaceAll("\r\n", "\n").split("\n");
        for (const { line, column } of readFile(source).problems) {
          expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? -1) + 1);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
