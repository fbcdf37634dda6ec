import fc from "fast-check";
import { type DefaultTreeAdapterTypes, parse as parseHtml } from "parse5";
import { describe, expect, it } from "vitest";
import { sampleFiles } from "../../../../../scripts/lib/sample-files.ts";
import { expand } from "../../../../../src/lib/lmx/check/expand.ts";
import { styleOf } from "../../../../../src/lib/lmx/check/style.ts";
import { compile } from "../../../../../src/lib/lmx/compile.ts";
import { contrast } from "../../../../../src/lib/lmx/draw/color.ts";
import { fill } from "../../../../../src/lib/lmx/fill.ts";
import { paintedTexts } from "../../../../../src/lib/lmx/guardian/painted.ts";
import { tags } from "../../../../../src/lib/lmx/language/tags.ts";
import { parse } from "../../../../../src/lib/lmx/parse/parse.ts";
import { attributeCases, everything, library, plainCase, publicUrl, values } from "../documents.ts";
import { grammarMade } from "../random.ts";

type Node = DefaultTreeAdapterTypes.ChildNode;
type Paint = { color: string; back: string; darkColor: string; darkBack: string; size: number; bold: boolean };

const darkRulesIn = (html: string): Map<string, [property: string, value: string]> => {
  const [, sheet = ""] = /@media \(prefers-color-scheme:dark\)\{(.*?)\}<\/style>/.exec(html) ?? [];
  return new Map(
    [...sheet.matchAll(/\.([\w-]+)\{([\w-]+):([^!]+)!important\}/g)].map(([, name = "", property = "", value = ""]) => [
      name,
      [property, value],
    ]),
  );
};

const drawnTexts = (html: string): Set<string> => {
  const dark = darkRulesIn(html);
  const found = new Set<string>();
  const visit = (node: Node, around: Paint): void => {
    if ("value" in node && node.nodeName === "#text" && node.value.replace(/[\s\u00a0]/g, "") !== "") {
      found.add(JSON.stringify(around));
    }
    if (!("tagName" in node) || ["head", "style", "title"].includes(node.tagName)) return;
    const attribute = (name: string): string => node.attrs.find((one) => one.name === name)?.value ?? "";
    const style = attribute("style");
    const of = (property: string): string | undefined =>
      new RegExp(`(?:^|;)${property}:([^;]+)`).exec(style)?.[1] as string | undefined;
    if (of("display") === "none" || of("font-size") === "0") return;
    const color = of("color")?.startsWith("#") ? (of("color") ?? "") : undefined;
    const back = of("background-color") ?? (attribute("bgcolor") || undefined);
    const size = of("font-size");
    const rules = attribute("class")
      .split(" ")
      .flatMap((name) => (dark.has(name) ? [dark.get(name)] : []));
    const darkened = (property: string): string | undefined => rules.find((rule) => rule?.[0] === property)?.[1];
    const weight = of("font-weight");
    const paint: Paint = {
      color: color ?? around.color,
      back: back ?? around.back,
      darkColor: darkened("color") ?? color ?? around.darkColor,
      darkBack: darkened("background-color") ?? back ?? around.darkBack,
      size:
        size === undefined
          ? around.size
          : size.endsWith("em")
            ? around.size * Number.parseFloat(size)
            : Number.parseFloat(size),
      bold: weight === undefined ? around.bold : Number(weight) >= 700,
    };
    for (const child of node.childNodes) visit(child, paint);
  };
  const none = { color: "", back: "", darkColor: "", darkBack: "", size: 0, bold: false };
  for (const node of parseHtml(html).childNodes) visit(node, none);
  return found;
};

const guardedTexts = (source: string): Set<string> => {
  const { nodes } = expand(parse(source).nodes, library);
  const { theme } = styleOf(nodes, library);
  return new Set(
    paintedTexts(nodes, theme).map(({ color, back, size, bold }) =>
      JSON.stringify({
        color: color.light,
        back: back.light,
        darkColor: color.dark,
        darkBack: back.dark,
        size,
        bold,
      }),
    ),
  );
};

const htmlOf = (source: string): string | undefined => {
  const { compiled } = compile(source, "transactional", {}, library);
  const given = Object.fromEntries((compiled?.variables ?? []).map((name) => [name, "x"]));
  return compiled && fill(compiled.html, { ...given, ...values }, publicUrl);
};

describe("the colors that the guardian compares are those of the HTML", () => {
  const sources = [
    everything,
    ...sampleFiles.map(({ lmx }) => lmx),
    ...[...tags.keys()].flatMap((tag) => [plainCase(tag), ...attributeCases(tag).map(({ source }) => source)]),
    '<Style textBaseColor="#777777" bodyColor="#222222"/><Section blockColor="#eeeeee"><UnorderedList><ListItem blockColor="#101010">a</ListItem></UnorderedList><Icons><Icon name="x" href="https://a.co"/></Icons></Section>',
  ];

  it("in every document", () => {
    for (const source of sources) {
      const html = htmlOf(source);
      expect(html, source).toBeDefined();
      expect([source, [...guardedTexts(source)].toSorted()]).toEqual([source, [...drawnTexts(html ?? "")].toSorted()]);
    }
    expect(sources.length).toBeGreaterThan(150);
  });

  it("in random documents", () => {
    let compared = 0;
    fc.assert(
      fc.property(grammarMade, (source) => {
        const html = htmlOf(source);
        if (html === undefined || !html.includes("prefers-color-scheme")) return;
        compared += 1;
        expect([...guardedTexts(source)].toSorted()).toEqual([...drawnTexts(html)].toSorted());
      }),
      { numRuns: 500, seed: 7 },
    );
    expect(compared).toBeGreaterThan(20);
  });
});

it("what is readable in light mode is readable in dark mode", () => {
  const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);
  fc.assert(
    fc.property(color, color, (text, back) => {
      fc.pre(contrast(text, back) >= 4.5);
      const source = `<Section blockColor="${back}"><Paragraph><Text textColor="${text}">x</Text></Paragraph></Section>`;
      const [painted] = [...guardedTexts(source)].map((one) => JSON.parse(one) as Paint);
      expect(contrast(painted?.darkColor ?? "", painted?.darkBack ?? "")).toBeGreaterThanOrEqual(4.5);
    }),
    {
      numRuns: 2_000,
      examples: ["#068391", "#068940", "#0c8a18"].map((text) => [text, "#ffffff"] as [string, string]),
    },
  );
});
