import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import {
  type Compiled,
  compile,
  compileLine,
  type MessageFields,
  type Parts,
} from "../../../../src/lib/lmx/compile.ts";
import type { ValuePart } from "../../../../src/lib/lmx/draw/parts.ts";
import { fill } from "../../../../src/lib/lmx/fill.ts";
import { threadTime } from "../../../thread-time.ts";
import { inOutlook, judge } from "./judge.ts";
import { broken } from "./mistakes.ts";
import { grammarMade, mutated, payloads } from "./random.ts";

// Set by `npm run fuzz:lmx`.
const RUNS = Number(process.env.LMX_FUZZ_RUNS || 600);
const SEED = process.env.LMX_FUZZ_SEED ? { seed: Number(process.env.LMX_FUZZ_SEED) } : {};
/** Times are measured in long runs only, on an otherwise idle machine. */
const LIMIT_MS = process.env.LMX_FUZZ_RUNS ? 50 : Number.POSITIVE_INFINITY;

const line = (source: string): Parts => compileLine(source, "transactional").parts ?? [];
const fields: MessageFields = { subject: line("Hello {data.a}"), preview: line("{data.b}") };
const forms: readonly MessageFields[] = [fields, { ...fields, lang: "ar" }, { ...fields, format: "plain" }];

const slowest = { ms: 0, characters: 0 };
if (process.env.LMX_FUZZ_RUNS) {
  afterAll(() => console.log(`Slowest document: ${slowest.ms.toFixed(1)} ms, ${slowest.characters} characters.`));
}

/** Compiles, in a long run within 50 ms of this thread. One slow time of three is allowed. */
const compileInTime = (source: string, form: MessageFields) => {
  const timed = () => {
    const results: ReturnType<typeof compile>[] = [];
    const ms = threadTime(() => results.push(compile(source, "transactional", form, broken)));
    return { result: results[0] as ReturnType<typeof compile>, ms };
  };
  const first = timed();
  if (first.ms > slowest.ms) Object.assign(slowest, { ms: first.ms, characters: source.length });
  if (first.ms > LIMIT_MS) expect(Math.min(timed().ms, timed().ms), source).toBeLessThanOrEqual(LIMIT_MS);
  return first.result;
};

const isIn = (source: string, { line, column }: { line: number; column: number }): boolean => {
  const text = source.split("\n")[line - 1];
  return text !== undefined && column >= 1 && column <= text.length + 1;
};

const contentOf = ({ elements, text }: ReturnType<typeof judge>): string =>
  [text, ...elements.flatMap(({ attrs }) => attrs.map(({ value }) => value))].join("\n");

const isValuePart = (part: Parts[number]): part is ValuePart => typeof part !== "string" && "variable" in part;

const checkFilled = (compiled: Compiled, values: Readonly<Record<string, string>>): void => {
  const html = fill(compiled.html, values, "https://mail.example.com");
  const mail = judge(html);
  const outlook = judge(inOutlook(html));
  expect([mail.repairs, outlook.repairs]).toEqual([[], []]);
  for (const { tagName, attrs } of [...mail.elements, ...outlook.elements]) {
    expect(tagName).not.toContain("planted");
    for (const { name, value } of attrs) {
      expect(name).not.toContain("planted");
      if (name === "href" || name === "src") expect(value).toMatch(/^(?:#|https?:\/\/|mailto:|tel:)/i);
    }
  }
  const content = contentOf(mail);
  for (const part of compiled.html) {
    if (isValuePart(part) && part.as === "html") expect(content).toContain(values[part.variable]);
  }
  const text = fill(compiled.text, values);
  for (const part of compiled.text) {
    if (isValuePart(part) && part.as === "text") expect(text).toContain(values[part.variable]);
  }
  for (const part of compiled.text) {
    if (!isValuePart(part) || part.as !== "address") continue;
    const written = fill([part], values);
    expect(written).not.toMatch(/[\s<>"]/);
    if (part.at === "start") expect(written).toMatch(/^(?:#$|https?:\/\/|mailto:|tel:)/i);
  }
};

const counts = { compiled: 0, refused: 0 };

const check = (source: string, form: MessageFields, a: string, b: string, url: string): void => {
  const { compiled, problems } = compileInTime(source, form);
  expect(compiled === undefined).toBe(problems.some(({ severity }) => severity === "error"));
  for (const problem of problems) {
    expect([problem, isIn(source, problem)]).toEqual([problem, true]);
    const { component } = problem;
    if (component)
      expect([problem, isIn(broken.components?.[component.id]?.lmx ?? "", component)]).toEqual([problem, true]);
  }
  if (compiled === undefined) {
    counts.refused += 1;
    return;
  }
  counts.compiled += 1;
  checkFilled(compiled, {
    ...Object.fromEntries(compiled.variables.map((name) => [name, a])),
    "data.a": a,
    "data.b": b,
    "data.url": url,
  });
};

describe("a random document is refused with the place of the mistake, or no text of it or of a value becomes markup", () => {
  const form = fc.constantFrom(...forms);
  const payload = fc.constantFrom(...payloads);
  const settings = { numRuns: Math.ceil(RUNS / 2), ...SEED };

  const timeout = 60_000 + RUNS * 20;

  it("made by the grammar", { timeout }, () => {
    counts.compiled = 0;
    fc.assert(fc.property(grammarMade, form, payload, payload, payload, check), settings);
    expect(counts.compiled).toBeGreaterThan(RUNS / 8);
  });

  it("made of a real one by changes", { timeout }, () => {
    counts.compiled = 0;
    fc.assert(fc.property(mutated, form, payload, payload, payload, check), settings);
    expect(counts.compiled).toBeGreaterThan(RUNS / 8);
    expect(counts.refused).toBeGreaterThan(RUNS / 20);
  });
});
