import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampleFiles as samples } from "../../../../scripts/lib/sample-files.ts";
import { type Compiled, compile, compileLine } from "../../../../src/lib/lmx/compile.ts";
import { fill, missing, type Values } from "../../../../src/lib/lmx/fill.ts";
import { threadTime } from "../../../thread-time.ts";
import { marks } from "./random.ts";

const compiled = (source: string): Compiled => {
  const result = compile(source, "transactional");
  if (result.compiled === undefined) throw new Error(JSON.stringify(result.problems));
  return result.compiled;
};
const html = (source: string, values: Values): string => fill(compiled(source).html, values);
const text = (source: string, values: Values): string => fill(compiled(source).text, values);

/** The rest of a value that a mail shows. */
const seen = (value: string): string =>
  value.replace(
    /(?![\t\n\r])[\p{Cc}\p{Noncharacter_Code_Point}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    "",
  );

describe("values in HTML", () => {
  it.each([
    ["<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"],
    [`"quoted" & 'single'`, "&quot;quoted&quot; &amp; &#39;single&#39;"],
    ["&lt;b&gt;", "&amp;lt;b&amp;gt;"],
    ["{data.y}", "{data.y}"],
    ["$& $1 $$", "$&amp; $1 $$"],
    ["\u0000a\u0007\u0085\ud800b\uffffc\u{1fffe}\t\u{1f600}", "abc\t\u{1f600}"],
  ])("escapes %s", (value, escaped) => {
    const source = "<Paragraph>[{data.x}]</Paragraph>";
    expect(html(source, { "data.x": value, "data.y": "other" })).toContain(`[${escaped}]`);
    expect(text(source, { "data.x": value, "data.y": "other" })).toBe(`[${seen(value)}]\n`);
  });

  it("escapes values in an attribute", () => {
    const source = '<Image src="https://example.com/a.png" alt="{data.x}"/>';
    expect(html(source, { "data.x": '"><b onload="x' })).toContain('alt="&quot;&gt;&lt;b onload=&quot;x"');
  });

  it("escapes the author's text as well", () => {
    const source = "<Paragraph>&lt;b&gt; &#38; &quot;</Paragraph><CodeBlock>if (a < b) { {data.x} &lt;i></CodeBlock>";
    expect(html(source, {})).toContain(">&lt;b&gt; &amp; &quot;</p>");
    expect(html(source, {})).toContain(">if (a &lt; b) { {data.x} &lt;i&gt;</pre>");
    expect(compiled(source).variables).toEqual([]);
  });

  it("accepts numbers and booleans, and a missing value becomes an empty text", () => {
    const source = "<Paragraph>[{data.n}] [{data.b}] [{data.z}]</Paragraph>";
    expect(text(source, { "data.n": 0, "data.b": false })).toBe("[0] [false] []\n");
    expect(missing(compiled(source).variables, { "data.n": 0, "data.b": false })).toEqual(["data.z"]);
  });
});

describe("values in an address", () => {
  const whole = (value: string): string | undefined =>
    /<a href="([^"]*)"/.exec(html('<Button href="{data.x}">go</Button>', { "data.x": value }))?.[1];
  const middle = (value: string): string | undefined =>
    /<a href="([^"]*)"/.exec(html('<Button href="https://a.io/?q={data.x}">go</Button>', { "data.x": value }))?.[1];

  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "\u0001javascript:alert(1)",
    "data:text/html,<script>",
    "vbscript:x",
    "blob:x",
    "//evil.example",
    "example.com",
    "",
  ])("refuses %j at its start", (value) => expect(whole(value)).toBe("#"));

  it.each([
    ["https://a.io/x?token=a%20b&type=magic#c", "https://a.io/x?token=a%20b&amp;type=magic#c"],
    ["HTTP://a.io", "HTTP://a.io"],
    ["mailto:a@b.c?subject=it's", "mailto:a@b.c?subject=it's"],
    ["tel:+3225550100", "tel:+3225550100"],
    [" https://a.io/ü \n", "https://a.io/ü"],
    ['https://a.io/"><script>', "https://a.io/%22%3E%3Cscript%3E"],
    ["https://a.io/\r\n{x}`|\\", "https://a.io/%0D%0A%7Bx%7D%60%7C%5C"],
  ])("passes %j", (value, expected) => expect(whole(value)).toBe(expected));

  it.each([
    ["a b", "https://a.io/?q=a%20b"],
    ["javascript:x", "https://a.io/?q=javascript%3Ax"],
    ['"onclick="x', "https://a.io/?q=%22onclick%3D%22x"],
  ])("keeps %j inside the address", (value, expected) => expect(middle(value)).toBe(expected));

  it("checks the start, whatever follows it", () => {
    const source = '<Button href="{data.a}{data.b}">go</Button>';
    expect(html(source, { "data.a": "java", "data.b": "script:x" })).toContain('<a href="#script:x"');
    expect(html(source, { "data.a": "", "data.b": "javascript:x" })).toContain('<a href="#javascript:x"');
  });

  it("of an image that is no web address is replaced by the image's src", () => {
    const source = '<Image src="https://a.io/a b.png?x=1&amp;y=2" dynamicSrc="{data.x}" alt=""/>';
    for (const value of ["javascript:x", "mailto:a@b.c", "", "a.png"]) {
      expect(html(source, { "data.x": value })).toContain('<img src="https://a.io/a%20b.png?x=1&amp;y=2"');
    }
    expect(html(source, { "data.x": "https://b.io/b.png" })).toContain('<img src="https://b.io/b.png"');
    const partial = '<Image src="https://a.io/a.png" dynamicSrc="{data.x}/b.png" alt=""/>';
    expect(html(partial, { "data.x": "javascript:x" })).toContain('<img src="#/b.png"');
  });
});

describe("values in a header", () => {
  const line = (value: string): string =>
    fill(compileLine("Hi {data.x}!", "transactional").parts ?? [], { "data.x": value });

  it.each([
    ["Ada\r\nBcc: all@example.com", "Hi Ada Bcc: all@example.com!"],
    ["\u2028a\u0000b\u0085c\n", "Hi a b c!"],
    ["A & <B>", "Hi A & <B>!"],
  ])("never break the line: %j", (value, expected) => expect(line(value)).toBe(expected));

  it("are escaped where the line is shown in the HTML", () => {
    const preview = compileLine("<3 {data.x}", "transactional").parts ?? [];
    const result = compile("<Paragraph>x</Paragraph>", "transactional", { subject: preview, preview }).compiled;
    expect(result?.variables).toEqual(["data.x"]);
    const filled = fill(result?.html ?? [], { "data.x": "</title><script>" });
    expect(filled).toContain("<title>&lt;3 &lt;/title&gt;&lt;script&gt;</title>");
    expect(filled).toContain('aria-hidden="true">&lt;3 &lt;/title&gt;&lt;script&gt;&#847;');
  });
});

const everySlot = compiled(`
<H1>{data.a}</H1><Paragraph>x<Link href="{data.b}">{data.a}</Link> <Link href="https://x.io/{data.b}/{data.a}">y</Link></Paragraph>
<Button href="{data.b}">{data.a}</Button>
<Image src="https://x.io/a.png" alt="{data.a}" href="{data.b}" dynamicSrc="{data.b}"/>
<Section href="mailto:{data.b}"><Quote>{data.a}</Quote></Section>`);

const hostile = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(fc.constantFrom("<", ">", '"', "'", "&", "{", "}", "javascript:", "https://", "\n", "=", "data.a", "x"), {
      maxLength: 12,
    })
    .map((all) => all.join("")),
);
const count = (mark: string, where: string): number => where.split(mark).length;

describe("any value", () => {
  it("does not change the document's structure", () => {
    const reference = fill(everySlot.html, { "data.a": "x", "data.b": "https://x.io" });
    fc.assert(
      fc.property(hostile, hostile, (a, b) => {
        const filled = fill(everySlot.html, { "data.a": a, "data.b": b });
        for (const mark of ["<", ">", '"']) expect(count(mark, filled)).toBe(count(mark, reference));
        for (const [, url] of filled.matchAll(/(?:href|src)="([^"]*)"/g)) {
          expect(url).toMatch(/^(?:#|https?:\/\/|mailto:|tel:)/i);
        }
      }),
    );
  });

  it("is verbatim in the text, but for what nobody sees", () => {
    fc.assert(
      fc.property(hostile, (a) => {
        expect(text("<Paragraph>[{data.a}]</Paragraph>", { "data.a": a })).toBe(`[${seen(a)}]\n`);
      }),
    );
  });

  it("keeps a header on one line", () => {
    const parts = compileLine("{data.a}", "transactional").parts ?? [];
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (a) => {
        expect(fill(parts, { "data.a": a })).not.toMatch(/[\r\n\u2028\u2029]/);
      }),
    );
  });
});

const tokens = [
  ...marks,
  "<!",
  "<?",
  "&amp;",
  "&#",
  "{data.",
  "Paragraph",
  "Section",
  "Columns",
  "ColumnItem",
  "CodeBlock",
  "Style",
  "Br",
  "Link",
  "href",
  "width",
  "https://a.io",
  "<Paragraph>",
  "</Paragraph>",
  "<Section>",
  "</Section>",
  "<Br/>",
  "{data.x}",
  'href="',
  "\u0000",
  "\ud800",
];

describe("any source", () => {
  const compiles = (source: string): void => {
    for (const kind of ["transactional", "campaign", "workflow"] as const) {
      const { compiled: result, problems } = compile(source, kind);
      expect(result === undefined).toBe(problems.some(({ severity }) => severity === "error"));
      for (const { line, column, message } of problems) {
        expect(line >= 1 && column >= 1 && message.length < 400).toBe(true);
      }
      if (result !== undefined) {
        expect(JSON.parse(JSON.stringify(result))).toEqual(result);
        for (const parts of [result.html, result.text]) {
          parts.forEach((part, i) => {
            expect(typeof part === "string" && typeof parts[i + 1] === "string").toBe(false);
          });
        }
      }
      compileLine(source, kind);
    }
  };

  it("of random text never throws", () => fc.assert(fc.property(fc.string({ unit: "binary" }), compiles)));

  it("of random tokens never throws", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...tokens), { maxLength: 60 }).map((all) => all.join("")),
        compiles,
      ),
      {
        numRuns: 500,
      },
    );
  });

  it("that is a sample with a piece cut out or put in never throws", () => {
    const mutated = fc
      .tuple(fc.constantFrom(...samples.map(({ lmx }) => lmx)), fc.nat(), fc.nat(20), fc.constantFrom("", ...tokens))
      .map(([lmx, at, cut, put]) => {
        const from = at % lmx.length;
        return lmx.slice(0, from) + put + lmx.slice(from + cut);
      });
    fc.assert(fc.property(mutated, compiles), { numRuns: 500 });
  });
});

describe("100 KB of anything", () => {
  const SIZE = 100 * 1024;
  const sized = (unit: string, before = "", after = ""): string =>
    before + unit.repeat(Math.floor((SIZE - before.length - after.length) / unit.length)) + after;
  const P = "<Paragraph>";

  it.each([
    ["nested tags", "<Em>".repeat(20_000)],
    ["nested known blocks", sized("<Section>")],
    ["open braces", sized("{", P, "</Paragraph>")],
    ["open braces and spaces", sized("{{{        ", P, "</Paragraph>")],
    ["unfinished variables", sized("{data.", P, "</Paragraph>")],
    ["long unfinished names", sized(`{${"a".repeat(99)}`, P, "</Paragraph>")],
    ["bad variables", sized("{a}", P, "</Paragraph>")],
    ["good variables", sized("{data.a}", P, "</Paragraph>")],
    ["line breaks with bad variables", sized("\n{a}", P, "</Paragraph>")],
    ["ampersands", sized("&", P, "</Paragraph>")],
    ["numeric references", sized("&#", P, "</Paragraph>")],
    ["open brackets", sized("<")],
    ["closing tags", sized("</a>")],
    ["half closing tags", sized("</")],
    ["comments", sized("<!---->")],
    ["open comments", sized("<!--")],
    ["spaces", sized(" ", P, "x</Paragraph>")],
    ["spaces in literal text", sized(" ", "<CodeBlock>", "x</CodeBlock>")],
    ["literal tags", sized("<CodeBlock>")],
    ["spaces in a tag", sized(" ", "<Paragraph ", "x")],
    ["quotes in a tag", sized(`"'`, "<Paragraph ")],
    ["open quotes", sized('<P a="')],
    ["one attribute name", sized("a", "<Paragraph ")],
    ["one tag name", sized("a", "<a")],
    ["unknown tags", sized("<Zebra/>")],
    ["misplaced tags", sized("<Br/>")],
    ["breaks", sized("<Br/>", P, "</Paragraph>")],
    ["dividers", sized("<Divider/>")],
    ["control characters", sized("\u0001", P, "</Paragraph>")],
    ["unknown icons", sized('<Icon name="facebok-mesenger"/>', "<Icons>", "</Icons>")],
    ["unknown components", sized('<Component componentId="x"/>')],
    ["widths", sized("1,", '<Columns widths="', '"/>')],
    ["font names", sized("a ", '<Style bodyFontFamily="', ';"/>')],
    ["attributes", `<Paragraph ${Array.from({ length: 11_000 }, (_, i) => `a${i}=""`).join(" ")}>`.slice(0, SIZE)],
  ])("is refused or compiled at once: %s", (_, source) => {
    const ms = threadTime(() => {
      const { problems } = compile(source, "transactional");
      compileLine(source, "transactional");
      expect(problems.length).toBeLessThanOrEqual(100);
    });
    // A quadratic step over 100 KB takes many seconds.
    expect(ms).toBeLessThan(1_500);
  });
});
