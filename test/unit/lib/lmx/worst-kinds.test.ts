import { describe, expect, it } from "vitest";
import { compile } from "../../../../src/lib/lmx/compile.ts";
import { type WorstKind, worstKinds, worstLibrary } from "./worst-kinds.ts";

const compiling = ({ source, format, lang }: Omit<WorstKind, "name">) =>
  compile(source, "transactional", { ...(format && { format }), ...(lang && { lang }) }, worstLibrary);

describe("100 KB of the worst kind", () => {
  it("is at most 100 KB, so that it is read", () => {
    for (const { name, source } of worstKinds) {
      expect([name, new TextEncoder().encode(source).length <= 100_000]).toEqual([name, true]);
    }
  });
});

describe("a document whose mail is too large", () => {
  const refused = (source: string, format?: "plain") => {
    const { compiled, problems } = compiling({ source, ...(format && { format }) });
    expect(compiled).toBeUndefined();
    expect(problems.at(-1)).toMatchObject({
      severity: "error",
      code: "too_large",
      message: "The mail gets larger than 1400 KB of HTML here: shorten it",
    });
    return { line: problems.at(-1)?.line ?? 0, column: problems.at(-1)?.column ?? 0 };
  };

  type Large = { before?: string; unit: string; after?: string; lines: number; format?: "plain" };
  const style = `<Style bodyFontFamily="${"a".repeat(500)}"/>`;
  it.each<[string, Large]>([
    ["blocks", { unit: "<H1/>", lines: 16_000 }],
    [
      "blocks of the plain format",
      { before: '<Component componentId="cmp_headings"/>'.repeat(80), unit: "<H1/>", lines: 9_000, format: "plain" },
    ],
    ["list items", { before: `${style}<UnorderedList>`, unit: "<ListItem/>", after: "</UnorderedList>", lines: 4_000 }],
  ])("is refused where it becomes too large: %s", (_, { before = "", unit, after = "", lines, format }) => {
    const of = (count: number) => `${before}\n${`${unit}\n`.repeat(count)}${after}`;
    const { line, column } = refused(of(lines), format);
    expect(line).toBeGreaterThan(1000);
    expect(column).toBe(1);
    expect(compiling({ source: of(line - 3), ...(format && { format }) }).compiled).toBeDefined();
    expect(refused(of(line), format)).toEqual({ line, column });
  });

  it("names the use of a component that is too large", () => {
    const source = '<Component componentId="cmp_headings"/>\n'.repeat(200);
    const { line, column } = refused(source);
    expect(column).toBe(1);
    const lines = source.split("\n");
    expect(compiling({ source: lines.slice(0, line - 1).join("\n") }).compiled).toBeDefined();
    expect(refused(lines.slice(0, line + 1).join("\n"))).toEqual({ line, column });
  });

  it("is not drawn to its end: a font name of 50 KB in each of 9 000 blocks", () => {
    const source = `<Style bodyFontFamily="${"a".repeat(50_000)}"/>\n${"<H1/>".repeat(9_000)}`;
    expect(refused(source)).toEqual({ line: 2, column: "<H1/>".length * 26 + 1 });
  });
});

describe("problems of a component", () => {
  it("count once, and those of the document after it are found", () => {
    const { problems } = compiling({ source: '<Component componentId="cmp_wrong"/>'.repeat(9) });
    expect(problems).toHaveLength(Math.floor(1000 / '<H1 fontSize=""/>'.length));
    const after = compiling({ source: `${'<Component componentId="cmp_warned"/>'.repeat(9)}\n<H4/>` }).problems;
    expect(after.at(-1)).toMatchObject({ code: "unknown_tag", line: 2 });
  });
});
