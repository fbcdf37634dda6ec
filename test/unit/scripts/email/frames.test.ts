import { describe, expect, it } from "vitest";
import { type Finding, frame, lengthAt, lineAt, lookOf } from "../../../../scripts/email/frames.ts";
import { threadTime } from "../../../thread-time.ts";

const finding = (text: string, line: number, column: number, more: Partial<Finding> = {}): Finding => ({
  path: "a.lmx",
  text,
  line,
  column,
  severity: "error",
  code: "bad",
  message: "Wrong",
  fix: "write it right",
  ...more,
});
const shown = (text: string, line: number, column: number, width = 80) =>
  frame(finding(text, line, column), { width, color: false });

const marked = (text: string, line: number, column: number, width?: number): string => {
  const [, excerpt = "", carets = ""] = shown(text, line, column, width).split("\n");
  return excerpt.slice(carets.indexOf("^"), carets.lastIndexOf("^") + 1);
};

describe("a finding is shown", () => {
  it("as path:line:column, severity, code and message, then the line, carets, and the fix", () => {
    expect(shown("<Section>\n  <Paragaph>x</Paragaph>\n</Section>", 2, 3)).toBe(
      ["a.lmx:2:3 error bad: Wrong", " 2 |   <Paragaph>x</Paragaph>", "   |   ^^^^^^^^^", "  fix: write it right"].join(
        "\n",
      ),
    );
  });

  it("with carets under a tab's four columns", () => {
    expect(shown("\t\t<H9>x", 1, 3)).toBe(
      ["a.lmx:1:3 error bad: Wrong", " 1 |         <H9>x", "   |         ^^^", "  fix: write it right"].join("\n"),
    );
  });

  it("without the carriage return of a line", () => {
    const text = "<H1>a</H1>\r\n<H9>b</H9>\r\n";
    expect(lineAt(text, 2)).toBe("<H9>b</H9>");
    expect(marked(text, 2, 1)).toBe("<H9");
    expect(shown(text, 2, 1)).not.toContain("\r");
  });

  it("with two columns for a wide character and an emoji, and none for a combining mark", () => {
    const before = "漢字👩‍👩‍👧e\u0301";
    expect(
      shown(`${before}<Brr/>`, 1, before.length + 1)
        .split("\n")
        .slice(1, 3),
    ).toEqual([` 1 | ${before}<Brr/>`, `   | ${" ".repeat(7)}^^^^`]);
    expect(shown("漢字", 1, 1).split("\n")[2]).toBe("   | ^^");
  });

  it("with a part of a long line around the place", () => {
    const text = `${"before ".repeat(50)}{data.a.b}${" after".repeat(50)}`;
    const [, excerpt = "", carets = ""] = shown(text, 1, 351, 60).split("\n");
    expect(excerpt).toBe(" 1 | …before before before before {data.a.b} after after af…");
    expect(carets).toBe(`   | ${" ".repeat(29)}^^^^^^^^^^`);
    expect(excerpt.length).toBeLessThanOrEqual(60);
  });

  it.each([
    ["the start", 1],
    ["the end", 5_000],
    ["behind the end", 5_001],
  ])("within the width at %s of a long line", (_where, column) => {
    const [, excerpt = "", carets = ""] = shown("x ".repeat(2_500), 1, column, 60).split("\n");
    expect(excerpt.length).toBeLessThanOrEqual(60);
    expect(carets.length).toBeLessThanOrEqual(60);
    expect(carets).toContain("^");
  });

  it("at the first and the last column, and behind the last one", () => {
    expect(marked("<H1>", 1, 1)).toBe("<H1");
    expect(shown("<H1", 1, 4).split("\n")[2]).toBe("   |    ^");
    expect(shown("abc", 1, 3).split("\n")[2]).toBe("   |   ^");
  });

  it("each by itself where several are on one line", () => {
    const text = "<Paragraph>{a} and {b}</Paragraph>";
    expect([marked(text, 1, 12), marked(text, 1, 20)]).toEqual(["{a}", "{b}"]);
  });

  it("in a component at its own place, and at the place that uses it", () => {
    const usedAt = { path: "a.lmx", text: '<H1>a</H1>\n<Component componentId="c"/>', line: 2, column: 1 };
    const one = finding('<Link href="x">a</Link>', 1, 13, { path: "components/c.lmx", usedAt });
    expect(frame(one, { width: 80, color: false })).toBe(
      [
        "components/c.lmx:1:13 error bad: Wrong",
        ' 1 | <Link href="x">a</Link>',
        "   |             ^",
        "  fix: write it right",
        "  used at a.lmx:2:1",
        ' 2 | <Component componentId="c"/>',
        "   | ^^^^^^^^^^",
      ].join("\n"),
    );
  });

  it("without a line where the file has no text", () => {
    expect(shown("", 1, 1)).toBe("a.lmx:1:1 error bad: Wrong\n  fix: write it right");
  });

  it("without characters that a terminal obeys", () => {
    const hostile = "\u001b[31m\u0007\u202e\u009b";
    const one = finding(`<H1>${hostile}</H1>`, 1, 5, { path: `a${hostile}.lmx`, message: hostile, fix: hostile });
    const text = frame(one, { width: 80, color: false });
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(text).toContain("<H1>␛[31m␇��</H1>");
  });

  it("in colors on a terminal, unless NO_COLOR is set", () => {
    const text = frame(finding("<H1>", 1, 1), { width: 80, color: true });
    expect(text).toContain("\u001b[31merror bad\u001b[0m");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the codes of colors
    expect(text.replaceAll(/\u001b\[\d+m/g, "")).toBe(shown("<H1>", 1, 1));
    const terminal = { isTTY: true, columns: 100 };
    expect(lookOf(terminal, {})).toEqual({ width: 100, color: true });
    expect(lookOf(terminal, { NO_COLOR: "1" }).color).toBe(false);
    expect(lookOf(terminal, { TERM: "dumb" }).color).toBe(false);
    expect(lookOf({}, {})).toEqual({ width: 120, color: false });
  });

  it("fast, also on one line of 100 KB", () => {
    const text = "{data.x} ".repeat(11_000);
    const ms = threadTime(() => {
      for (let column = 1; column < 50_000; column += 500) shown(text, 1, column);
    });
    expect(ms).toBeLessThan(2_000);
  });
});

describe("carets stand under", () => {
  it.each([
    ["<Paragaph>x", 0, "<Paragaph"],
    ["</Strong>", 0, "</Strong"],
    ["<!-- x", 0, "<!--"],
    ["{data.name}!", 0, "{data.name}"],
    ["{{data.name}}", 0, "{{data.name}}"],
    ["{data.na me", 0, "{data.na me"],
    ["&nbsp; x", 0, "&nbsp;"],
    ['fontSize=16">', 0, "fontSize"],
    ['href="not an address">', 6, "not an address"],
    ["<<", 0, "<"],
    ["漢字", 0, "漢"],
    ["", 0, ""],
  ])("the token of %j at %i: %j", (line, offset, token) => {
    expect(line.slice(offset, offset + lengthAt(line, offset))).toBe(token);
  });
});
