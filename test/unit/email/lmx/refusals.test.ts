import { describe, expect, it } from "vitest";
import { compile, compileLine, type Kind } from "../../../../src/email/lmx/compile.ts";
import { parse } from "../../../../src/email/lmx/parse/parse.ts";

const P = (inner: string): string => `<Paragraph>${inner}</Paragraph>`;
const columns = (count: number, attributes = ""): string =>
  `<Columns${attributes}>${`<ColumnItem>${P("x")}</ColumnItem>`.repeat(count)}</Columns>`;
const image = 'src="https://example.com/a.png" alt=""';
const deep = `${"<Section>".repeat(40)}${"</Section>".repeat(40)}`;

/** Source, code of the first problem, its line and column, and the fix in its message. */
type Row = readonly [source: string, code: string, at: `${number}:${number}`, fix: string];

const unreadable: Row[] = [
  [P("x").repeat(5000), "too_large", "1:1", "shorten it"],
  ["é".repeat(60_000), "too_large", "1:1", "100 KB"],
  [deep, "too_deep", "1:297", "flatten"],
  ["<Paragraph>\n  hello", "unclosed_tag", "1:1", "add </Paragraph>"],
  ["<Section>\n <Paragraph>x</Section>", "mismatched_tag", "2:14", "close <Paragraph> of line 2"],
  ["x</Paragraph>", "stray_close_tag", "1:2", "</Paragraph> closes nothing"],
  [P("a</ b"), "bad_close_tag", "1:13", "&lt;"],
  [P("1 < 2"), "stray_bracket", "1:14", "write &lt;"],
  ["<Paragraph fontSize=16>x</Paragraph>", "unquoted_attribute", "1:12", 'fontSize="16"'],
  ["<Divider width=50/>", "unquoted_attribute", "1:10", 'width="50"'],
  ['<Paragraph align="left>x</Paragraph>', "unclosed_attribute", "1:12", "add the quote"],
  ["<Columns stackOnMobile></Columns>", "missing_value", "1:10", 'stackOnMobile="…"'],
  ['<Divider width="50" width="60"/>', "duplicate_attribute", "1:21", "keep one"],
  ['<Divider "50"/>', "bad_attribute", "1:10", 'name="value"'],
  ["<Paragraph<Br/></Paragraph>", "unfinished_tag", "1:1", "add >"],
  ["<Divider>", "not_self_closed", "1:1", "write <Divider/>"],
  ['<Image src="https://a.io/?a&b">', "not_self_closed", "1:1", "write <Image/>"],
  [P("a<Br>b"), "not_self_closed", "1:13", "write <Br/>"],
  [P("a&nbsp;b"), "unknown_entity", "1:13", "&#160;"],
  [P("\n&#0;"), "unknown_entity", "2:1", "&#0;"],
  ["<!-- never ends", "unfinished_comment", "1:1", "add -->"],
  ["<![CDATA[x]]>", "unsupported_syntax", "1:1", "remove"],
  ["<?xml version='1.0'?>", "unsupported_syntax", "1:1", "remove"],
];

const misused: Row[] = [
  ["<Paragaph>x</Paragaph>", "unknown_tag", "1:1", "did you mean <Paragraph>?"],
  ["<paragraph>x</paragraph>", "unknown_tag", "1:1", "did you mean <Paragraph>?"],
  ["<p>x</p>", "unknown_tag", "1:1", "did you mean <Paragraph>?"],
  ["<ul></ul>", "unknown_tag", "1:1", "did you mean <UnorderedList>?"],
  ["<Zebracrossing/>", "unknown_tag", "1:1", "see the list"],
  ["<constructor/>", "unknown_tag", "1:1", "see the list"],
  [P("<script>alert(1)</script>"), "unknown_tag", "1:12", "<script>"],
  ['<Component componentId="c1"/>', "unsupported_tag", "1:1", "not supported yet"],
  ['<Icons><Icon name="github"/></Icons>', "unsupported_tag", "1:1", "not supported yet"],
  ['<Icon name="github"/>', "unsupported_tag", "1:1", "not supported yet"],
  ["<ListItem>x</ListItem>", "bad_child", "1:1", "<OrderedList>, <UnorderedList>"],
  ["<Strong>x</Strong>", "bad_child", "1:1", "at the top level"],
  [P("<H1>x</H1>"), "bad_child", "1:12", "outside <Paragraph>"],
  ['<Button href="https://a.io"><Strong>x</Strong></Button>', "bad_child", "1:29", "in <Button>"],
  [`<Section><Section>${P("x")}</Section></Section>`, "bad_child", "1:10", "outside <Section>"],
  ["<Section><Style/></Section>", "bad_child", "1:10", "outside <Section>"],
  [`<UnorderedList>${P("x")}</UnorderedList>`, "bad_child", "1:16", "outside <UnorderedList>"],
  [columns(2).replace(P("x"), columns(2)), "bad_child", "1:22", "outside <ColumnItem>"],
  ["<Divider>x</Divider>", "not_self_closed", "1:1", "<Divider/>"],
  ["hello", "text_not_allowed", "1:1", "wrap it in <Paragraph>"],
  ["{data.name}", "text_not_allowed", "1:1", "wrap it in <Paragraph>"],
  ["<OrderedList>x<ListItem>y</ListItem></OrderedList>", "text_not_allowed", "1:14", "wrap it in <ListItem>"],
  [columns(1), "bad_count", "1:1", "2 to 4 <ColumnItem>"],
  [columns(5), "bad_count", "1:1", "2 to 4 <ColumnItem>"],
  ["<OrderedList></OrderedList>", "bad_count", "1:1", "at least 1 <ListItem>"],
  ["<Style/>\n<Style/>", "duplicate_style", "2:1", "merge"],
  [P("<Link>x</Link>"), "missing_attribute", "1:12", 'href="…"'],
  ['<Image alt="x"/>', "missing_attribute", "1:1", 'src="…"'],
  [P('<Link href="https://a.io">a <Link href="https://b.io">b</Link></Link>'), "nested_link", "1:40", "keep one"],
  ['<Section href="https://a.io"><Button href="https://b.io">b</Button></Section>', "nested_link", "1:30", "keep one"],
];

const values: Row[] = [
  ['<Paragraph fontSize="11">x</Paragraph>', "bad_value", "1:22", "12 to 64 (px)"],
  ['<Paragraph fontSize="65">x</Paragraph>', "bad_value", "1:22", "12 to 64"],
  ['<Paragraph fontSize="16%">x</Paragraph>', "bad_value", "1:22", "(px)"],
  ['<Paragraph lineHeight="99">x</Paragraph>', "bad_value", "1:24", "100 to 300 (%)"],
  ['<Paragraph align="justify">x</Paragraph>', "bad_value", "1:19", "left, center, right"],
  ['<Paragraph blockColor="red">x</Paragraph>', "bad_value", "1:24", "#2563eb"],
  ['<Paragraph blockColor="#12345">x</Paragraph>', "bad_value", "1:24", "a colour"],
  [P('<Text textColor="#fff;x:y">x</Text>'), "bad_value", "1:29", "a colour"],
  ['<Divider width="9"/>', "bad_value", "1:17", "10 to 100"],
  [`<Image ${image} width="601"/>`, "bad_value", "1:54", "12 to 600"],
  ['<Image src="/logo.png" alt=""/>', "bad_value", "1:13", "https://"],
  ['<Image src="data:image/png;base64,AA" alt=""/>', "bad_value", "1:13", "full address"],
  ['<Button href="example.com">x</Button>', "bad_value", "1:15", "https://example.com"],
  ['<Button href="java&#115;cript:alert(1)">x</Button>', "bad_value", "1:15", "full address"],
  ['<Button href="java{data.x}">x</Button>', "bad_value", "1:15", "full address"],
  [P('<Link href="">x</Link>'), "bad_value", "1:24", "full address"],
  [columns(2, ' widths="30,30"'), "bad_value", "1:18", "make 100"],
  [columns(2, ' widths="30,30,40"'), "bad_value", "1:10", "one per column"],
  [columns(2, ' gap="5"'), "bad_value", "1:15", "12 to 150"],
  [columns(2, ' stackOnMobile="yes"'), "bad_value", "1:25", "true, false"],
  ['<OrderedList start="x"><ListItem>x</ListItem></OrderedList>', "bad_value", "1:21", "a number"],
  [`<Style bodyFontFamily="x;}</style>"/>${P("x")}`, "unclosed_attribute", "1:8", "&lt;"],
  [`<Style bodyFontFamily="Inter; color: red"/>${P("x")}`, "bad_value", "1:24", "font names"],
  [`<Style bodyFontFamily="'Inter, Arial"/>${P("x")}`, "bad_value", "1:24", "font names"],
  [`<Style bodyXPadding="101"/>${P("x")}`, "bad_value", "1:22", "0 to 100"],
];

const variables: (readonly [kind: Kind, ...row: Row])[] = [
  ["transactional", P("Hi {name}"), "unprefixed_variable", "1:15", "write {data.name}"],
  ["campaign", P("Hi {name}"), "unprefixed_variable", "1:15", "write {contact.name}"],
  ["transactional", P("a\n  {contact.firstName}"), "wrong_namespace", "2:3", "did you mean {data.firstName}?"],
  ["transactional", P("{event.plan}"), "wrong_namespace", "1:12", "{data.plan}"],
  ["campaign", P("{data.plan}"), "wrong_namespace", "1:12", "{contact.plan}"],
  ["campaign", P("{event.plan}"), "wrong_namespace", "1:12", "campaign mail"],
  ["workflow", P("{evnt.plan}"), "wrong_namespace", "1:12", "did you mean {event.plan}?"],
  ["transactional", P("{system.unsubscribe_link}"), "wrong_namespace", "1:12", "transactional mail"],
  ["campaign", P("{system.other}"), "unknown_variable", "1:12", "{system.unsubscribe_link}"],
  ["transactional", P("{{data.name}}"), "bad_variable", "1:12", "write {data.name}"],
  ["transactional", P("{ data.name }"), "bad_variable", "1:12", "write {data.name}"],
  ["transactional", P("{data.user.name}"), "bad_variable", "1:12", "write {data.user}"],
  ["transactional", P("{data.}"), "bad_variable", "1:12", "write {data.name}"],
  ["transactional", P("{data.name"), "unclosed_variable", "1:12", "&#123;"],
  ["transactional", P("{data.na!me}"), "unclosed_variable", "1:12", "letters"],
  ["transactional", P('<Link href="https://a.io/{id}">x</Link>'), "unprefixed_variable", "1:37", "{data.id}"],
  ["transactional", '<Button href="{contact.url}">x</Button>', "wrong_namespace", "1:15", "{data.url}"],
  ["transactional", '<Button href="https://a.io">{contact.x}</Button>', "wrong_namespace", "1:29", "{data.x}"],
  ["transactional", '<Image src="{data.logo}" alt=""/>', "variable_not_allowed", "1:13", "fixed value"],
  ["transactional", '<Paragraph blockColor="{data.c}">x</Paragraph>', "variable_not_allowed", "1:24", "fixed value"],
];

const refused = (source: string, kind: Kind, code: string, at: string, fix: string) => {
  const { compiled, problems } = compile(source, kind);
  expect(compiled).toBeUndefined();
  const problem = problems.find(({ severity }) => severity === "error");
  expect(problem).toMatchObject({ code, severity: "error" });
  expect(`${problem?.line}:${problem?.column}`).toBe(at);
  expect(problem?.message).toContain(fix);
};

/** Puts the start of the source first, for the test's name. */
const short = <T extends readonly [string, ...unknown[]]>(row: T) => [row[0].slice(0, 60), ...row] as const;

describe("a refused document", () => {
  it.each(unreadable.map(short))("cannot be read: %s", (_, source, code, at, fix) => {
    refused(source, "transactional", code, at, fix);
  });
  it.each(misused.map(short))("misuses a tag: %s", (_, source, code, at, fix) => {
    refused(source, "transactional", code, at, fix);
  });
  it.each(values.map(short))("has a bad value: %s", (_, source, code, at, fix) => {
    refused(source, "transactional", code, at, fix);
  });
  it.each(variables)("has a bad variable, %s: %s", (kind, source, code, at, fix) => {
    refused(source, kind, code, at, fix);
  });

  it("names every mistake at once, in reading order", () => {
    const { problems } = compile('<H5>x</H5>\n<Paragraph align="x">{name}</Paragraph>\n<Link/>', "transactional");
    expect(problems.map(({ code, line }) => `${line} ${code}`)).toEqual([
      "1 unknown_tag",
      "2 bad_value",
      "2 unprefixed_variable",
      "3 bad_child",
      "3 missing_attribute",
      "3 empty_tag",
    ]);
  });
});

describe("a warned document", () => {
  const warned = [
    ['<Paragraph fontsize="16">x</Paragraph>', "unknown_attribute", "did you mean fontSize?"],
    ['<Paragraph onclick="x()">x</Paragraph>', "unknown_attribute", "no effect"],
    ['<Paragraph constructor="x">x</Paragraph>', "unknown_attribute", "no effect"],
    [P("Tom & Jerry"), "bare_ampersand", "&amp;"],
    ["<Button>x</Button>", "missing_href", "leads nowhere"],
    ['<Button href="https://a.io"> </Button>', "empty_tag", "no text"],
    [P('<Link href="https://a.io"></Link>x'), "empty_tag", "no text"],
    ['<Image src="https://example.com/a.png"/>', "missing_alt", 'alt=""'],
    [columns(3), "many_columns", "two are safe"],
    [`<Style themeId="t1"/>${P("x")}`, "unsupported_attribute", "not supported yet"],
    ["  ", "empty_document", "add a <Paragraph>"],
    [P("x").repeat(700), "large_html", "102 KB"],
  ] as const;
  it.each(warned.map(short))("still compiles: %s", (_, source, code, fix) => {
    const { compiled, problems } = compile(source, "campaign");
    expect(compiled).toBeDefined();
    expect(problems.map((problem) => [problem.severity, problem.code])).toEqual([["warning", code]]);
    expect(problems[0]?.message).toContain(fix);
  });

  it("lets an unknown attribute have no effect", () => {
    const plain = compile(P("x"), "campaign").compiled;
    expect(compile('<Paragraph onclick="x()">x</Paragraph>', "campaign").compiled).toEqual(plain);
  });
});

describe("a one-line field", () => {
  it.each([
    ["Hi {name}", "unprefixed_variable"],
    ["Hi {contact.name}", "wrong_namespace"],
    ["Hi {data.name", "unclosed_variable"],
    ["Hi\r\nBcc: all@example.com", "line_break"],
    ["<Strong>Hi</Strong>", "tag_not_allowed"],
    ["Ann <ann@a.io><Br/>", "tag_not_allowed"],
  ])("refuses %j", (source, code) => {
    const { parts, problems } = compileLine(source, "transactional");
    expect(parts).toBeUndefined();
    expect(problems.map((problem) => problem.code)).toEqual([code]);
  });

  it("is plain text, in which markup has no meaning", () => {
    expect(compileLine("A & B <a@b.c> &amp; { } {data.x}", "transactional")).toEqual({
      parts: ["A & B <a@b.c> &amp; { } ", { variable: "data.x", as: "line" }],
      variables: ["data.x"],
      problems: [],
    });
  });
});

describe("parse", () => {
  it("gives line and column of every node and attribute", () => {
    const { nodes, problems } = parse('<!-- c -->\n<Section>\n  <Image\n   src="x"/>text</Section>');
    expect(problems).toEqual([]);
    expect(nodes[1]).toMatchObject({ tag: "Section", line: 2, column: 1 });
    expect(nodes[1]).toMatchObject({
      children: [
        { raw: "\n  ", line: 2, column: 10 },
        { tag: "Image", line: 3, column: 3, attributes: [{ name: "src", raw: "x", line: 4, column: 4 }] },
        { raw: "text", line: 4, column: 13 },
      ],
    });
  });
});
