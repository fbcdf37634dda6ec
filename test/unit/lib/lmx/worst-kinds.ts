import type { Library } from "../../../../src/lib/lmx/compile.ts";
import type { AttributeRule, TagRule } from "../../../../src/lib/lmx/language/rule.ts";
import { childrenOf, tags, topLevel } from "../../../../src/lib/lmx/language/tags.ts";

const SIZE = 100_000;

/** A typical document, repeated up to the largest size. */
export const typical = (): string => filled(TYPICAL);

const filled = (unit: string, before = "", after = "", size = SIZE): string => {
  const room = size - before.length - after.length;
  if (!unit.includes("@")) return before + unit.repeat(Math.floor(room / unit.length)) + after;
  const units: string[] = [];
  for (let length = 0; ; ) {
    const one = unit.replaceAll("@", String(units.length));
    length += one.length;
    if (length > room) return before + units.join("") + after;
    units.push(one);
  }
};

const TYPICAL =
  '<Paragraph>Hello {data.name}, <Strong>some words</Strong> and a <Link href="https://example.com/{data.id}">link</Link>.</Paragraph>\n';

const exampleOf = (rule: AttributeRule, number: number): string => {
  switch (rule.is) {
    case "color":
      return `#${((number * 7919) % 0xffffff).toString(16).padStart(6, "0")}`;
    case "number":
      return String(rule.min + (number % (rule.max - rule.min)));
    case "choice":
      return rule.of[number % rule.of.length] ?? "";
    case "link":
    case "image":
      return `https://a.io/${number}?a=1&amp;b=2${rule.variables ? "{data.a}" : ""}`;
    case "font":
      return "Inter, 'Open Sans'";
    case "widths":
      return "50,50";
    case "condition":
      return "{data.a}";
    case "icon":
      return "github";
    case "text":
      return rule.variables ? "{data.a} &amp; words" : "cmp_line";
  }
};

const homeOf = (tag: string): string[] => {
  if (topLevel.includes(tag)) return [];
  const [home = ""] =
    [...tags].find(
      ([name, { content }]) =>
        name !== tag && childrenOf(content).includes(tag) && (topLevel.includes(name) || name === "ColumnItem"),
    ) ?? [];
  return [...homeOf(home), home];
};

const contentOf = (rule: TagRule): string => {
  if (typeof rule.content === "string") return rule.content === "empty" ? "" : "x";
  const [child = ""] = rule.content;
  return `<${child}${requiredOf(child)}/>`;
};

const written = (tag: string, number: number, all: boolean): string => {
  const { attributes = {} } = tags.get(tag) ?? {};
  return Object.entries(attributes)
    .filter(([, { required }]) => all || required)
    .map(([name, rule]) => ` ${name}="${exampleOf(rule, number)}"`)
    .join("");
};
const requiredOf = (tag: string): string => written(tag, 0, false);

const DIFFERENT = 100;

const ofTag = (tag: string, unitOf: (number: number) => string): string => {
  const home = homeOf(tag);
  const open = home.map((name) => `<${name}>`).join("");
  const close = home
    .toReversed()
    .map((name) => `</${name}>`)
    .join("");
  const parent = home.at(-1);
  const most = (parent === undefined ? undefined : tags.get(parent)?.children?.max) ?? Number.POSITIVE_INFINITY;
  const units = Array.from({ length: DIFFERENT }, (_, number) => unitOf(number));
  const written = [open];
  let room = SIZE - open.length - close.length;
  for (let number = 0; ; number++) {
    const before = number > 0 && number % most === 0 ? `${close}${open}` : "";
    const unit = `${before}${units[number % DIFFERENT]}`;
    room -= unit.length;
    if (room < 0) return written.join("") + close;
    written.push(unit);
  }
};

/** A name and a document of up to 100 KB. `plain`: in the plain format. `lang`: its language. */
export type WorstKind = { name: string; source: string; format?: "plain"; lang?: string };

const P = "<Paragraph>";
const END = "</Paragraph>";

const perTag = [...tags].flatMap(([tag, rule]): WorstKind[] => {
  const content = contentOf(rule);
  const inner = (attributes: string, words: string) =>
    words === "" ? `<${tag}${attributes}/>` : `<${tag}${attributes}>${words}</${tag}>`;
  return [
    { name: `${tag}, empty`, source: ofTag(tag, (n) => `<${tag}${written(tag, n, false)}/>`) },
    { name: `${tag}, short`, source: ofTag(tag, (n) => inner(written(tag, n, false), content)) },
    { name: `${tag}, every attribute`, source: ofTag(tag, (n) => inner(written(tag, n, true), content)) },
  ];
});

const perAttribute = [...tags].flatMap(([tag, { attributes, content }]): WorstKind[] =>
  Object.entries(attributes).map(([name, rule]) => ({
    name: `${tag} ${name}`,
    source: ofTag(tag, (n) => {
      const words = contentOf({ content, attributes });
      const needed = rule.required ? "" : written(tag, n, false);
      return `<${tag}${needed} ${name}="${exampleOf(rule, n)}"${words === "" ? "/>" : `>${words}</${tag}>`}`;
    }),
  })),
);

const texts: readonly WorstKind[] = [
  { name: "marks in marks", source: filled(`${"<Em>".repeat(28)}x${"</Em>".repeat(28)}`, P, END) },
  { name: "marks and words", source: filled("a<Em>b</Em>", P, END) },
  { name: "colored marks", source: filled('<Text textColor="#00@">x</Text>'.replace("00@", "123456"), P, END) },
  { name: "links with variables", source: filled('<Link href="{data.a}">{data.a}</Link>', P, END) },
  { name: "variables", source: filled("{data.a}", P, END) },
  { name: "different variables", source: filled("{data.a@}", P, END) },
  { name: "variables in lines", source: filled("{data.a}\n", P, END) },
  { name: "entities", source: filled("&lt;", P, END) },
  { name: "numeric entities", source: filled("&#60;", P, END) },
  { name: "bare ampersands", source: filled("& ", P, END) },
  { name: "quotes", source: filled('"', P, END) },
  { name: "comments", source: filled("<!---->") },
  { name: "comments in a text", source: filled("a<!---->", P, END) },
  { name: "lines", source: filled("a\n", P, END) },
  { name: "spaces", source: filled("a  ", P, END) },
  { name: "emoji", source: filled("\u{1f600}", P, END, SIZE / 2) },
  { name: "Hebrew", source: filled(`<Paragraph>\u05e9\u05dc</Paragraph>`, "", "", SIZE * 0.8), lang: "he" },
  { name: "code", source: filled("a < b &\n", "<CodeBlock>", "</CodeBlock>") },
  { name: "an address", source: filled("a&amp;", '<Button href="https://a.io/', '">x</Button>') },
  { name: "an address with variables", source: filled("{data.a}", '<Button href="https://a.io/', '">x</Button>') },
  { name: "a description", source: filled("&quot;{data.a}", '<Image src="https://a.io/a.png" alt="', '"/>') },
  { name: "words", source: filled("word ", P, END) },
];

const FONT = "a".repeat(SIZE / 2);

const boxes: readonly WorstKind[] = [
  {
    name: "sections in columns in sections",
    source: filled("<Section><Columns><ColumnItem><Section><H1/></Section></ColumnItem></Columns></Section>"),
  },
  { name: "four columns", source: filled(`<Columns>${"<ColumnItem><H1/></ColumnItem>".repeat(4)}</Columns>`) },
  { name: "short paragraphs", source: filled("<Paragraph>x</Paragraph>\n") },
  { name: "a list in lists", source: filled("<UnorderedList><ListItem/></UnorderedList>") },
  {
    name: "a different color in each block",
    source: Array.from({ length: 3600 }, (_, n) => `<H1 blockColor="#${(0xf00000 + n * 257).toString(16)}"/>`).join(""),
  },
  {
    name: "a long font name and headings",
    source: filled("<H1/>", `<Style bodyFontFamily="${FONT}"/>`),
  },
  {
    name: "a long font name and list items",
    source: filled("<ListItem/>", `<Style bodyFontFamily="${FONT}"/><UnorderedList>`, "</UnorderedList>"),
  },
];

const mistakes: readonly WorstKind[] = [
  { name: "unknown tags", source: filled("<Zebra/>") },
  { name: "different unknown tags", source: filled("<Zeb@/>") },
  { name: "misplaced tags", source: filled("<Br/>") },
  { name: "misplaced blocks", source: filled("<H1/>", P, END) },
  { name: "unknown attributes", source: filled('<H1 color="x"/>') },
  { name: "different unknown attributes", source: filled('<H1 co@="x"/>') },
  { name: "unknown attributes of a style", source: filled(' bodyFond@="x"', "<Style", "/>") },
  { name: "wrong values", source: filled('<H1 fontSize="1"/>') },
  { name: "unknown icons", source: filled('<Icon name="facebok-mesenge@"/>', "<Icons>", "</Icons>") },
  { name: "unknown entities", source: filled("&b;", P, END) },
  { name: "wrong variables", source: filled("{a}", P, END) },
  { name: "different wrong variables", source: filled("{dat@.a}", P, END) },
  { name: "unfinished variables", source: filled("{data.", P, END) },
  { name: "control characters", source: filled("\u0001", P, END) },
  { name: "open brackets", source: filled("<") },
  { name: "closing tags", source: filled("</a>") },
  { name: "wrong closing tags", source: filled("<H1></H2>\n") },
  { name: "attributes without values", source: filled(" a", "<H1", "/>") },
  { name: "text at the top level", source: filled("a<H1/>") },
  { name: "unknown components", source: filled('<Component componentId="@"/>') },
  { name: "styles", source: filled("<Style/>") },
  { name: "an error in every line", source: filled('<Paragraf color="red">{name} & co</Paragraf>\n') },
  { name: "links in links", source: filled(`${"<Link href='tel:'>".repeat(20)}${"</Link>".repeat(20)}`, P, END) },
];

const use = (id: string): string => `<Component componentId="${id}"/>`;
const PARTS: Readonly<Record<string, string>> = {
  line: "<H1/>",
  breaks: filled("<Br/>", P, END, 1000),
  headings: filled("<H1/>", "", "", 1000),
  marks: filled("<Em/>", P, END, 1000),
  warned: filled('<H1 color=""/>', "", "", 1000),
  wrong: filled('<H1 fontSize=""/>', "", "", 1000),
  unread: filled("<H1>", "", "", 1000),
  variables: filled("{data.a}", P, END, 1000),
  text: filled("word ", P, END, 1000),
  empty: "",
};
const components: readonly WorstKind[] = [
  ...Object.entries(PARTS).map(([id, lmx]) => ({
    name: `components: ${id}`,
    source: use(`cmp_${id}`).repeat(
      Math.min(Math.floor(SIZE / use(`cmp_${id}`).length), Math.floor((200 * 1024) / Math.max(lmx.length, 1))),
    ),
  })),
  { name: "components: nested", source: use("cmp_1").repeat(2500) },
  { name: "components: itself", source: use("cmp_itself").repeat(2500) },
  {
    name: "components: one large",
    source: `${use("cmp_large")}${use("cmp_large")}${filled("<Br/>", P, END, SIZE - 200)}`,
  },
];

export const worstLibrary: Library = {
  components: Object.fromEntries(
    Object.entries({
      ...PARTS,
      1: use("cmp_2"),
      2: use("cmp_3"),
      3: "<H1/>",
      itself: use("cmp_itself"),
      large: filled("<Br/>", P, END),
    }).map(([id, lmx]) => [`cmp_${id}`, { name: id, lmx }]),
  ),
};

const groups: readonly WorstKind[] = [...perTag, ...texts, ...boxes, ...mistakes, ...components];

/** Documents of 100 KB, each costly for one part of the compiler, without those of one attribute. */
export const fewWorstKinds: readonly WorstKind[] = [
  ...groups,
  { name: "headings (right to left)", source: filled("<H1/>"), lang: "ar" },
];

export const worstKinds: readonly WorstKind[] = [
  ...fewWorstKinds,
  ...fewWorstKinds.map((kind): WorstKind => ({ ...kind, name: `${kind.name} (plain)`, format: "plain" })),
  ...perAttribute,
];
