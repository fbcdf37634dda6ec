import { describe, expect, it } from "vitest";
import { compile, compileLine, type Kind, type Library } from "../../../../src/lib/lmx/compile.ts";
import { parse } from "../../../../src/lib/lmx/parse/parse.ts";
import { broken, lines, misused, P, unreadable, usingLibrary, values, variables, warned } from "./mistakes.ts";

const refused = (source: string, kind: Kind, code: string, at: string, fix: string, library?: Library) => {
  const { compiled, problems } = compile(source, kind, {}, library);
  expect(compiled).toBeUndefined();
  const problem = problems.find(({ severity }) => severity === "error");
  expect(problem).toMatchObject({ code, severity: "error" });
  expect(`${problem?.line}:${problem?.column}`).toBe(at);
  expect(problem?.message).toContain(fix);
};

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

  it.each(usingLibrary.map(short))("misuses the library: %s", (_, source, code, at, fix) => {
    refused(source, "transactional", code, at, fix, broken);
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
  it.each(lines)("refuses %j", (source, code) => {
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
