import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compile, type MessageFields } from "../../../../src/lib/lmx/compile.ts";
import { fill, type Values } from "../../../../src/lib/lmx/fill.ts";

const P = (words: string) => `<Paragraph>${words}</Paragraph>`;
const OPTIONAL = `<Section showIf="{data.code}" blockColor="#f3f4f6">${P("Or enter this code")}<H2>{data.code}</H2></Section>`;
const MAIL = `${P("Before")}${OPTIONAL}${P("After")}`;

const drawn = (source: string, values: Values, fields: MessageFields = {}) => {
  const { compiled, problems } = compile(source, "transactional", fields);
  if (!compiled) throw new Error(JSON.stringify(problems));
  return { html: fill(compiled.html, values), text: fill(compiled.text, values), variables: compiled.variables };
};

describe.each([["styled"], ["plain"]] as const)("a section with showIf in a %s mail", (format) => {
  it("is shown with a value, and without one the mail is as if the section were not written", () => {
    expect(drawn(MAIL, { "data.code": "123456" }, { format }).text).toBe(
      "Before\n\nOr enter this code\n\n123456\n\nAfter\n",
    );
    const without = drawn(`${P("Before")}${P("After")}`, {}, { format });
    for (const values of [{}, { "data.code": "" }, { "data.code": " \t" }]) {
      const { html, text } = drawn(MAIL, values, { format });
      expect(text).toBe(without.text);
      expect(html).not.toContain("Or enter");
      expect(html).not.toContain("<h2");
      expect(html.match(/<p\b/g)).toHaveLength(2);
    }
  });

  it("is shown for the number 0 and false, and if one of several variables has a value", () => {
    for (const value of [0, false]) expect(drawn(MAIL, { "data.code": value }, { format }).text).toContain("Or enter");
    const either = `<Section showIf="{data.a} {data.b}">${P("{data.a}{data.b}")}</Section>`;
    fc.assert(
      fc.property(fc.constantFrom("", "x"), fc.constantFrom("", "y"), (a, b) => {
        expect(drawn(either, { "data.a": a, "data.b": b }, { format }).text.trim()).toBe(a + b);
      }),
    );
  });
});

it("leaves out what is inside, whatever is in there and however often", () => {
  const section = fc.record({ has: fc.boolean(), words: fc.stringMatching(/^[a-z]{4,9}$/) });
  fc.assert(
    fc.property(fc.array(section, { minLength: 1, maxLength: 6 }), (sections) => {
      const of = (words: string, index: number) =>
        `<Section showIf="{data.v${index}}">${P(words)}<Columns><ColumnItem>${P("{data.v0}")}</ColumnItem></Columns></Section>`;
      const source = `${P("Start")}${sections.map(({ words }, index) => of(words, index)).join("")}${P("End")}`;
      const values = Object.fromEntries(sections.map(({ has }, index) => [`data.v${index}`, has ? "1" : ""]));
      const paragraphs = drawn(source, values).text.split("\n\n");
      const shown = paragraphs.filter((one) => /^[a-z]{4,9}$/.test(one.trim()));
      expect(shown).toEqual(sections.flatMap(({ has, words }) => (has ? [words] : [])));
      expect([paragraphs[0], paragraphs.at(-1)]).toEqual(["Start", "End\n"]);
    }),
  );
});

it("asks for its variable, and refuses a value that is none", () => {
  expect(drawn(`<Section showIf="{data.flag}">${P("x")}</Section>`, { "data.flag": "1" }).variables).toEqual([
    "data.flag",
  ]);
  for (const wrong of ["code", "yes {data.code}", ""]) {
    const { compiled, problems } = compile(`<Section showIf="${wrong}">${P("x")}</Section>`, "transactional");
    expect([compiled, problems.map(({ code }) => code)]).toEqual([undefined, ["bad_value"]]);
  }
  const { problems } = compile(`<Section showIf="{contact.firstName}">${P("x")}</Section>`, "transactional");
  expect(problems.map(({ code }) => code)).toEqual(["wrong_namespace"]);
});
