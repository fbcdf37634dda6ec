import type { Kind, Library } from "../../../../src/lib/lmx/compile.ts";
import { library } from "./documents.ts";

// Every mistake of a document, for the tests of refusals and the golden messages.

export const P = (inner: string): string => `<Paragraph>${inner}</Paragraph>`;
const columns = (count: number, attributes = ""): string =>
  `<Columns${attributes}>${`<ColumnItem>${P("x")}</ColumnItem>`.repeat(count)}</Columns>`;
const image = 'src="https://example.com/a.png" alt=""';
const deep = `${"<Section>".repeat(40)}${"</Section>".repeat(40)}`;

/** Source, code of the first problem, its line and column, and the fix in its message. */
type Row = readonly [source: string, code: string, at: `${number}:${number}`, fix: string];

export const unreadable: Row[] = [
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
  [P("a&nbps;b"), "unknown_entity", "1:13", "&#160;"],
  [P("\n&#0;"), "unknown_entity", "2:1", "&#0;"],
  [P("a\u0007b"), "control_character", "1:13", "U+0007"],
  ["<CodeBlock>\n\u0000</CodeBlock>", "control_character", "2:1", "remove it"],
  ["<!-- never ends", "unfinished_comment", "1:1", "add -->"],
  ["<![CDATA[x]]>", "unsupported_syntax", "1:1", "remove"],
  ["<?xml version='1.0'?>", "unsupported_syntax", "1:1", "remove"],
];

export const misused: Row[] = [
  ["<Paragaph>x</Paragaph>", "unknown_tag", "1:1", "did you mean <Paragraph>?"],
  ["<paragraph>x</paragraph>", "unknown_tag", "1:1", "did you mean <Paragraph>?"],
  ["<p>x</p>", "unknown_tag", "1:1", "did you mean <Paragraph>?"],
  ["<ul></ul>", "unknown_tag", "1:1", "did you mean <UnorderedList>?"],
  ["<Zebracrossing/>", "unknown_tag", "1:1", "see the list"],
  ["<constructor/>", "unknown_tag", "1:1", "see the list"],
  [P("<script>alert(1)</script>"), "unknown_tag", "1:12", "<script>"],
  ['<Icon name="github"/>', "bad_child", "1:1", "put it in <Icons>"],
  ["<Icons></Icons>", "bad_count", "1:1", "1 to 100 <Icon>"],
  [`<Icons>x<Icon name="github" href="https://a.io"/></Icons>`, "text_not_allowed", "1:8", "wrap it in <Icon>"],
  ["<Icons><Icon/></Icons>", "missing_attribute", "1:8", 'name="…"'],
  ["<Component/>", "missing_attribute", "1:1", 'componentId="…"'],
  ["<Section>x</Section>", "text_not_allowed", "1:10", "wrap it in <Paragraph>"],
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
  [columns(0), "bad_count", "1:1", "1 to 4 <ColumnItem>"],
  [columns(5), "bad_count", "1:1", "1 to 4 <ColumnItem>"],
  ["<OrderedList></OrderedList>", "bad_count", "1:1", "at least 1 <ListItem>"],
  ["<Style/>\n<Style/>", "duplicate_style", "2:1", "merge"],
  [P("<Link>x</Link>"), "missing_attribute", "1:12", 'href="…"'],
  ['<Image alt="x"/>', "missing_attribute", "1:1", 'src="…"'],
  [P('<Link href="https://a.io">a <Link href="https://b.io">b</Link></Link>'), "nested_link", "1:40", "keep one"],
  ['<Section href="https://a.io"><Button href="https://b.io">b</Button></Section>', "nested_link", "1:30", "keep one"],
];

export const values: Row[] = [
  ['<Paragraph fontSize="11">x</Paragraph>', "bad_value", "1:22", "12 to 64 (px)"],
  ['<Paragraph fontSize="65">x</Paragraph>', "bad_value", "1:22", "12 to 64"],
  ['<Paragraph fontSize="16%">x</Paragraph>', "bad_value", "1:22", "(px)"],
  ['<Paragraph lineHeight="99">x</Paragraph>', "bad_value", "1:24", "100 to 300 (%)"],
  ['<Paragraph align="justify">x</Paragraph>', "bad_value", "1:19", "left, center, right"],
  ['<Paragraph blockColor="red">x</Paragraph>', "bad_value", "1:24", "#2563eb"],
  ['<Paragraph blockColor="#12345">x</Paragraph>', "bad_value", "1:24", "a color"],
  [P('<Text textColor="#fff;x:y">x</Text>'), "bad_value", "1:29", "a color"],
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
  ['<OrderedList start="x"><ListItem>x</ListItem></OrderedList>', "bad_value", "1:21", "a whole number"],
  ['<OrderedList start="1.5"><ListItem>x</ListItem></OrderedList>', "bad_value", "1:21", "a whole number"],
  [`<Style bodyFontFamily="x;}</style>"/>${P("x")}`, "unclosed_attribute", "1:8", "&lt;"],
  [`<Style bodyFontFamily="Inter; color: red"/>${P("x")}`, "bad_value", "1:24", "font names"],
  [`<Style bodyFontFamily="'Inter, Arial"/>${P("x")}`, "bad_value", "1:24", "font names"],
  [`<Style bodyXPadding="101"/>${P("x")}`, "bad_value", "1:22", "0 to 100"],
  ['<Icons><Icon name="githb" href="https://a.io"/></Icons>', "bad_value", "1:20", "give github"],
  ['<Icons><Icon name="constructor" href="https://a.io"/></Icons>', "bad_value", "1:20", "Font Awesome name"],
  ['<Icons color="#123456"><Icon name="github" href="https://a.io"/></Icons>', "bad_value", "1:15", "#808080"],
  ['<Icons size="17"><Icon name="github" href="https://a.io"/></Icons>', "bad_value", "1:14", "18 to 48"],
];

export const variables: (readonly [kind: Kind, ...row: Row])[] = [
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
  ["transactional", '<Component componentId="{data.c}"/>', "unknown_component", "1:1", "no component {data.c}"],
  [
    "transactional",
    '<Icons><Icon name="github" href="{data.u}"/></Icons>',
    "variable_not_allowed",
    "1:34",
    "fixed value",
  ],
  ["component", P("{user.name}"), "wrong_namespace", "1:12", "in any mail"],
];

const uses = (id: string): string => `<Section><Component componentId="${id}"/></Section>`;

/** The library of the tests, with broken themes and components. */
export const broken: Library = {
  ...library,
  themes: { ...library.themes, th_bad: { textBaseFontSize: 500, backgroundColor: "red" } },
  components: {
    ...library.components,
    cmp_open: { name: "Open", lmx: "<Paragraph>\n<Strong>never closed</Paragraph>" },
    cmp_text: { name: "Text", lmx: "<H1>Fine</H1>\n  loose words" },
    cmp_value: { name: "Value", lmx: `${P("x")}\n<Image src="logo.png" alt=""/>` },
    cmp_button: { name: "Button", lmx: '<Button href="https://a.io">x</Button>' },
    cmp_outer: { name: "Outer", lmx: `\n${uses("cmp_text")}` },
    cmp_missing: { name: "Missing", lmx: `\n${uses("cmp_gone")}` },
    cmp_self: { name: "Self", lmx: uses("cmp_self") },
    cmp_ping: { name: "Ping", lmx: uses("cmp_pong") },
    cmp_pong: { name: "Pong", lmx: uses("cmp_ping") },
    cmp_one: { name: "One", lmx: uses("cmp_two") },
    cmp_two: { name: "Two", lmx: uses("cmp_three") },
    cmp_three: { name: "Three", lmx: uses("cmp_four") },
    cmp_four: { name: "Four", lmx: uses("cmp_five") },
    cmp_five: { name: "Five", lmx: P("x") },
    cmp_large: { name: "Large", lmx: P("word ".repeat(10_000)) },
    cmp_huge: { name: "Huge", lmx: P("word ".repeat(30_000)) },
    cmp_inner: { name: "Inner", lmx: '<Component componentId="cmp_footer"/>' },
    cmp_style: { name: "Style", lmx: '<Style bodyColor="#ffffff"/>' },
  },
};

const use = (id: string): string => `\n <Component componentId="${id}"/>`;

export const usingLibrary: Row[] = [
  [use("cmp_gone"), "unknown_component", "2:2", "create it"],
  [use("__proto__"), "unknown_component", "2:2", "create it"],
  [use("cmp_missing"), "unknown_component", "2:2", '"Missing" (cmp_missing), line 2, column 10'],
  [use("cmp_self"), "component_cycle", "2:2", "cmp_self → cmp_self"],
  [use("cmp_ping"), "component_cycle", "2:2", "cmp_ping → cmp_pong → cmp_ping"],
  [use("cmp_one"), "component_too_deep", "2:2", "more than 4 levels"],
  [use("cmp_large").repeat(5), "expands_too_large", "6:2", "200 KB"],
  [use("cmp_huge"), "too_large", "2:2", '"Huge" (cmp_huge), line 1'],
  [use("cmp_open"), "mismatched_tag", "2:2", '"Open" (cmp_open), line 2, column 21: </Paragraph>'],
  [use("cmp_text"), "text_not_allowed", "2:2", '"Text" (cmp_text), line 1, column 14: Text cannot stand'],
  [use("cmp_value"), "bad_value", "2:2", '"Value" (cmp_value), line 2, column 13: Image src="logo.png"'],
  [use("cmp_outer"), "text_not_allowed", "2:2", '"Outer" (cmp_outer), line 2, column 10: In the component "Text"'],
  [use("cmp_inner"), "bad_child", "2:2", "put it outside <Component>"],
  [use("cmp_style"), "bad_child", "2:2", "<Style> cannot stand in <Component>"],
  [`<Section href="https://b.io">${use("cmp_button")}</Section>`, "nested_link", "2:2", "keep one of the two"],
  ['<Style themeId="th_gone"/>', "unknown_theme", "1:17", "create it"],
  ['<Style themeId="constructor"/>', "unknown_theme", "1:17", "create it"],
  ['<Style themeId="th_bad"/>', "bad_theme", "1:17", "textBaseFontSize is 500: give a number from 6 to 64"],
];

export const warned = [
  ['<Paragraph fontsize="16">x</Paragraph>', "unknown_attribute", "did you mean fontSize?"],
  ['<Paragraph onclick="x()">x</Paragraph>', "unknown_attribute", "no effect"],
  ['<Paragraph constructor="x">x</Paragraph>', "unknown_attribute", "no effect"],
  [P("Tom & Jerry"), "bare_ampersand", "&amp;"],
  ["<Button>x</Button>", "missing_href", "leads nowhere"],
  ['<Button href="https://a.io"> </Button>', "empty_tag", "no text"],
  [P('<Link href="https://a.io"></Link>x'), "empty_tag", "no text"],
  ['<Image src="https://example.com/a.png"/>', "missing_alt", 'alt=""'],
  [columns(3), "many_columns", "two are safe"],
  ['<Icons><Icon name="github"/></Icons>', "missing_href", "leads nowhere"],
  [`<Component componentId="cmp_gone">${P("x")}</Component>`, "unknown_component", "correct the id"],
  ["  ", "empty_document", "add a <Paragraph>"],
  [P("x").repeat(700), "large_html", "102 KB"],
] as const;

export const lines = [
  ["Hi {name}", "unprefixed_variable"],
  ["Hi {contact.name}", "wrong_namespace"],
  ["Hi {data.name", "unclosed_variable"],
  ["Hi\u0000", "control_character"],
  ["Hi\r\nBcc: all@example.com", "line_break"],
  ["<Strong>Hi</Strong>", "tag_not_allowed"],
  ["Ann <ann@a.io><Br/>", "tag_not_allowed"],
] as const;

/** Files with a mistake in their front matter. */
export const files: readonly string[] = [
  "---\nsubject: Hi\n<H1>x</H1>",
  "hello",
  "subjct: Hi",
  "data.: Hi",
  "color: red",
  "name: A\nname: B",
  "emailFormat: html",
  "languageCode: en_US",
  "theme: ../secret",
  "id: a b",
  'subject: "Hi"',
].map((text) => (text.startsWith("---") ? text : `---\n${text}\n---\n<H1>x</H1>`));
