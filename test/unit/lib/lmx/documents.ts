import type { Library } from "../../../../src/lib/lmx/compile.ts";
import type { AttributeRule } from "../../../../src/lib/lmx/language/rule.ts";
import { tags } from "../../../../src/lib/lmx/language/tags.ts";

export const library: Library = {
  themes: { th_brand: { bodyColor: "#fffbeb", buttonBodyColor: "#b45309", heading1FontSize: 32 } },
  components: {
    cmp_footer: {
      name: "Footer",
      lmx: '<Divider/><Paragraph align="center">Acme, {data.city}<Br/><Link href="https://example.com/{data.id}">Site</Link></Paragraph>',
    },
    cmp_card: {
      name: "Card",
      lmx: '<Section blockColor="#eef2ff"><H3>Card</H3><Component componentId="cmp_footer"/></Section>',
    },
  },
};

const P = "<Paragraph>Words</Paragraph>";
const image = 'src="https://example.com/a.png"';

export const publicUrl = "https://mail.example.com";

/** A small document for each tag. `@` is the place of the tag's attributes. */
export const documents: Readonly<Record<string, string>> = {
  H1: "<H1@>First {data.name}</H1>",
  H2: "<H2@>Second &amp; more</H2>",
  H3: "<H3@>Third</H3>",
  Paragraph: "<Paragraph@>Hello {data.name},\n  two   lines<Br/>of words.</Paragraph>",
  Quote: "<Quote@>To be<Br/>or not</Quote>",
  CodeBlock: "<CodeBlock@>\n  if (a < b) {data.x} &amp; &lt;i>\n</CodeBlock>",
  Button: "<Button@>Go to {data.name}</Button>",
  Image: "<Image@/>",
  Divider: "<Divider@/>",
  OrderedList: "<OrderedList@><ListItem>One</ListItem><ListItem>Two<Br/>lines</ListItem></OrderedList>",
  UnorderedList: "<UnorderedList@><ListItem>One</ListItem><ListItem>Two</ListItem></UnorderedList>",
  ListItem: "<UnorderedList><ListItem@>One</ListItem></UnorderedList>",
  Columns: `<Columns@><ColumnItem><H3>Left</H3>${P}</ColumnItem><ColumnItem>${P}</ColumnItem></Columns>`,
  ColumnItem: `<Columns><ColumnItem@>${P}</ColumnItem><ColumnItem>${P}</ColumnItem><ColumnItem>${P}</ColumnItem><ColumnItem>${P}</ColumnItem></Columns>`,
  Component: "<Component@/>",
  Icons: '<Icons@><Icon name="github" href="https://example.com"/><Icon name="envelope" href="mailto:a@b.c"/></Icons>',
  Icon: "<Icons><Icon@/></Icons>",
  Section: `<Section@>${P}<H3>Title</H3></Section>`,
  Style: `<Style@/><H1>One</H1><H2>Two</H2><H3>Three</H3><Paragraph>Words <Link href="https://example.com">link</Link></Paragraph><Button href="https://example.com">Go</Button><Divider/>`,
  Strong: "<Paragraph>a <Strong@>b</Strong> c</Paragraph>",
  Em: "<Paragraph>a <Em@>b</Em> c</Paragraph>",
  Underline: "<Paragraph>a <Underline@>b</Underline> c</Paragraph>",
  Strike: "<Paragraph>a <Strike@>b</Strike> c</Paragraph>",
  Code: "<Paragraph>a <Code@>b</Code> c</Paragraph>",
  Text: "<Paragraph>a <Text@>b</Text> c</Paragraph>",
  Link: "<Paragraph>a <Link@>b</Link> c</Paragraph>",
  Br: "<Paragraph>a<Br@/>b</Paragraph>",
};

const ALWAYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Button: { href: "https://example.com/go" },
  Image: { src: "https://example.com/a.png", alt: "A chart" },
  Component: { componentId: "cmp_footer" },
  Icon: { name: "github", href: "https://example.com" },
  Link: { href: "https://example.com" },
};

const WITH: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "Button borderColor": { borderWidth: "2" },
  "Image borderColor": { borderWidth: "2" },
  "Style buttonBorderColor": { buttonBorderWidth: "2" },
  "Columns reverseOnMobile": { stackOnMobile: "true" },
};

const valuesOf = (name: string, rule: AttributeRule): readonly string[] => {
  const variable = rule.variables ? "{data.id}" : "";
  switch (rule.is) {
    case "color":
      return ["#0a7b83"];
    case "number": {
      const middle = Math.round(rule.min + (rule.max - rule.min) / 4);
      return rule.unit === "" ? [`${middle}`] : [`${rule.min}`, `${middle}${rule.unit}`];
    }
    case "choice":
      return rule.of;
    case "link":
      return [`https://example.com/?a=1&amp;b=2${variable}`, "mailto:help@example.com"];
    case "image":
      return [`https://example.com/b c.png${variable}`];
    case "font":
      return [name === "bodyFontCategory" ? "serif" : "Inter, 'Open Sans'"];
    case "widths":
      return ["30,70"];
    case "icon":
      return ["x-twitter"];
    case "condition":
      return ["{data.nothing}"];
    case "text":
      return name === "themeId"
        ? ["th_brand"]
        : name === "componentId"
          ? ["cmp_card"]
          : [`&quot;Sales&quot; ${variable}`];
  }
};

const written = (tag: string, attributes: Readonly<Record<string, string>>): string => {
  const all = Object.entries({ ...ALWAYS[tag], ...attributes }).map(([name, value]) => ` ${name}="${value}"`);
  return (documents[tag] ?? "").replace("@", all.join(""));
};

/** The document of a tag without optional attributes. */
export const plainCase = (tag: string): string => written(tag, {});

/** One document for each value of each attribute of a tag, with the document that lacks it. */
export const attributeCases = (tag: string): { name: string; value: string; source: string; without: string }[] =>
  Object.entries(tags.get(tag)?.attributes ?? {}).flatMap(([name, rule]) => {
    const others = WITH[`${tag} ${name}`] ?? {};
    return valuesOf(name, rule).map((value) => ({
      name,
      value,
      source: written(tag, { ...others, [name]: value }),
      without: written(tag, others),
    }));
  });

export const everything = [...tags.keys()]
  .filter((tag) => tag !== "Style")
  .map(plainCase)
  .join("\n")
  .concat(`\n<Style themeId="th_brand"/>\n<Section blockColor="#1e1b4b" href="https://example.com/card"><Paragraph><Text textColor="#ffffff">Words</Text></Paragraph></Section>
<Image ${image} alt="{data.name}" href="https://example.com/{data.id}" dynamicSrc="{data.picture}"/>`);

export const values: Readonly<Record<string, string>> = {
  "data.name": "Ada & Co",
  "data.id": "42",
  "data.city": "Ghent",
  "data.picture": "https://example.com/c.png",
};
