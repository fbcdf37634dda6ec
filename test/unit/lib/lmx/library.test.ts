import { describe, expect, it } from "vitest";
import { themeFaults } from "../../../../src/lib/lmx/check/style.ts";
import { type Compiled, checkComponent, compile, type Kind, type Library } from "../../../../src/lib/lmx/compile.ts";
import { fill } from "../../../../src/lib/lmx/fill.ts";
import { broken, P } from "./mistakes.ts";

const compiled = (source: string, library: Library, kind: Kind = "transactional"): Compiled => {
  const result = compile(source, kind, {}, library);
  if (result.compiled === undefined) throw new Error(JSON.stringify(result.problems));
  return result.compiled;
};
const html = (source: string, library: Library): string => fill(compiled(source, library).html, {});
const text = (source: string, library: Library): string => fill(compiled(source, library).text, {});

const components = {
  cmp_footer: { name: "Footer", lmx: `${P("Acme, {data.city}")}\n<Button href="https://a.io/{data.id}">Go</Button>` },
  cmp_card: { name: "Card", lmx: '<Section blockColor="#eef2ff"><Component componentId="cmp_footer"/></Section>' },
  cmp_unused: { name: "Unused", lmx: P("x") },
};
const library: Library = { components };

describe("a component", () => {
  it("is drawn as its content in a box", () => {
    const inSection = html(`<Section paddingTop="8">${components.cmp_footer.lmx}</Section>`, library);
    const used = html('<Component componentId="cmp_footer" paddingTop="8"/>', library);
    expect(used).toBe(inSection);
    expect(text('<Component componentId="cmp_footer"/>', library)).toBe("Acme, \n\nGo: https://a.io/\n");
    expect(html('<Component componentId="cmp_footer" blockColor="#eef2ff"/>', library)).toContain('bgcolor="#eef2ff"');
  });

  it("is named in the result, and so are those that it uses; others are not", () => {
    expect(compiled('<Component componentId="cmp_card"/>', library).components).toEqual(["cmp_card", "cmp_footer"]);
    expect(compiled(P("x"), library).components).toEqual([]);
    expect(compiled('<Component componentId="cmp_card"/>', library).variables).toEqual(["data.city", "data.id"]);
  });

  it("with children shows these, and its own content does not count as used", () => {
    const source = `<Component componentId="cmp_footer">${P("Local")}</Component>`;
    expect(text(source, library)).toBe("Local\n");
    expect(compiled(source, library).components).toEqual([]);
    expect(compile(source, "campaign", {}, library).problems).toEqual([]);
  });

  it("may be used many times, and a mistake in it is named once", () => {
    const use = (id: string) => `<Component componentId="${id}"/>\n`;
    expect(text(use("cmp_footer").repeat(3), library).match(/Acme/g)).toHaveLength(3);
    const codes = compile(use("cmp_text").repeat(3), "transactional", {}, broken).problems.map(({ code }) => code);
    expect(codes).toEqual(["text_not_allowed"]);
  });

  it("gives the place of a mistake in itself and in the document", () => {
    const { problems } = compile('\n\n<Component componentId="cmp_value"/>', "transactional", {}, broken);
    expect(problems).toMatchObject([
      { code: "bad_value", line: 3, column: 1, component: { id: "cmp_value", line: 2, column: 13 } },
    ]);
  });

  it("is checked with the variables of the mail that uses it", () => {
    const { problems } = compile('<Component componentId="cmp_footer"/>', "campaign", {}, library);
    expect(problems.map(({ code }) => code)).toEqual(["wrong_namespace", "wrong_namespace"]);
  });

  it("that is used in a chain of many uses stops at a size", () => {
    const chain = (name: string, next: string) => ({
      name,
      lmx: `<Section>${`<Component componentId="${next}"/>`.repeat(2000)}</Section>`,
    });
    const large: Library = {
      components: { a: chain("A", "b"), b: chain("B", "c"), c: chain("C", "d"), d: { name: "D", lmx: P("x") } },
    };
    const { problems } = compile('<Component componentId="a"/>', "transactional", {}, large);
    expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(["expands_too_large"]));
  });
});

describe("the check of a component", () => {
  it("allows the variables of every kind of mail", () => {
    const lmx = P("{data.a} {contact.firstName} {event.plan} {system.unsubscribe_link}");
    expect(checkComponent(lmx)).toEqual({ problems: [], components: [] });
  });

  it.each([
    ["<Style/>", "bad_child"],
    ['<Component componentId="cmp_footer"/>', "bad_child"],
    ["words", "text_not_allowed"],
    ["<Paragraph>", "unclosed_tag"],
    [P("{other.name}"), "wrong_namespace"],
    ['<Section><Component componentId="cmp_gone"/></Section>', "unknown_component"],
    ['<Section><Component componentId="cmp_card"/></Section>', "component_cycle"],
  ])("refuses %s", (lmx, code) => {
    const { problems } = checkComponent(lmx, library, "cmp_card");
    expect(problems.map((problem) => problem.code)).toContain(code);
  });

  it("gives places in the component itself, and what it uses", () => {
    expect(checkComponent(`\n ${P("{x}")}`, library)).toMatchObject({ problems: [{ line: 2, column: 13 }] });
    const lmx = '<Section><Component componentId="cmp_footer"/></Section>';
    expect(checkComponent(lmx, library)).toEqual({ problems: [], components: ["cmp_footer"] });
  });
});

describe("a theme", () => {
  const themes = { th_a: { bodyColor: "#fefce8", heading1FontSize: 40 }, th_b: { bodyColor: "#abc" } };

  it("is the one that the Style tag names, under the tag's own values", () => {
    const source = '<Style themeId="th_a" heading1FontSize="30"/><H1>x</H1>';
    const page = html(source, { themes });
    expect(page).toContain('bgcolor="#fefce8"');
    expect(page).toContain("font-size:30px");
    expect(page).toBe(html('<Style bodyColor="#fefce8" heading1FontSize="30"/><H1>x</H1>', {}));
    expect(compiled(source, { themes }).themes).toEqual(["th_a"]);
  });

  it("is the default of the library where the document names none", () => {
    const withDefault: Library = { themes, defaultThemeId: "th_b" };
    expect(html(P("x"), withDefault)).toContain('bgcolor="#aabbcc"');
    expect(compiled("<Style/>", withDefault).themes).toEqual(["th_b"]);
    expect(compiled('<Style themeId="th_a"/>', withDefault).themes).toEqual(["th_a"]);
    expect(compiled(P("x"), { themes }).themes).toEqual([]);
  });

  it("that does not exist is refused, also as the default", () => {
    const { problems } = compile(P("x"), "campaign", {}, { themes, defaultThemeId: "th_c" });
    expect(problems).toMatchObject([{ code: "unknown_theme", line: 1, column: 1 }]);
  });

  it("never brings markup into the HTML", () => {
    const themesOf = (styles: object): Library => ({ themes: { th: styles } });
    for (const styles of [
      { bodyColor: '#fff" onload="x' },
      { bodyFontFamily: "x;}</style><script>" },
      { bodyXPadding: "1px" },
      { borderWidth: Number.NaN },
      { bodyXPadding: 1e21 },
      { other: "x" },
      { __proto__: null, constructor: "x" },
    ]) {
      const { problems } = compile('<Style themeId="th"/><H1>x</H1>', "campaign", {}, themesOf(styles));
      expect(problems.map(({ code }) => code)).toEqual(["bad_theme"]);
    }
  });

  it("is checked key by key", () => {
    expect(themeFaults({ bodyColor: "#ffffff", bodyXPadding: 24, bodyFontFamily: "Inter" })).toEqual([]);
    expect(themeFaults({ bodyColor: "white", bodyXPadding: "24", color: "#fff" })).toEqual([
      { key: "bodyColor", message: "bodyColor is white: give a color such as #2563eb" },
      { key: "bodyXPadding", message: "bodyXPadding is 24: give a number" },
      { key: "color", message: "A theme has no style color: remove it" },
    ]);
  });
});

describe("the places of variables", () => {
  it("are those in the document and in its components, in reading order", () => {
    const source = `<H1>{data.a}\n {data.b}</H1>
<Image src="https://a.io/a.png" alt="{data.c}" href="https://a.io/{data.d}"/><CodeBlock>{data.no}</CodeBlock>
<Component componentId="cmp_footer"/>`;
    expect(compiled(source, library).positions).toEqual([
      { variable: "data.a", line: 1, column: 5 },
      { variable: "data.b", line: 2, column: 2 },
      { variable: "data.c", line: 3, column: 38 },
      { variable: "data.d", line: 3, column: 67 },
      { variable: "data.city", line: 1, column: 18, component: "cmp_footer" },
      { variable: "data.id", line: 2, column: 28, component: "cmp_footer" },
    ]);
  });
});

it("compiling is deterministic", () => {
  const source =
    '<Style themeId="t"/><Component componentId="cmp_card"/><Icons><Icon name="github" href="https://a.io"/></Icons>';
  const all: Library = { components, themes: { t: { bodyColor: "#fefce8" } } };
  expect(compile(source, "transactional", {}, all)).toEqual(compile(source, "transactional", {}, structuredClone(all)));
});
