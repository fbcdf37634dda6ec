import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampleFiles } from "../../../../../scripts/lib/sample-files.ts";
import type { Kind, Library } from "../../../../../src/lib/lmx/compile.ts";
import type { Known } from "../../../../../src/lib/lmx/guardian/facts.ts";
import { type Finding, rules, type Verdict } from "../../../../../src/lib/lmx/guardian/guardian.ts";
import { inspect } from "../../../../../src/lib/lmx/message/inspect.ts";
import { emptySource, type MessageSource } from "../../../../../src/lib/lmx/message/message-source.ts";
import { everything, library as otherLibrary } from "../documents.ts";
import { grammarMade, mutated } from "../random.ts";
import { themes } from "../sample-mails.ts";
import { type Case, cases, good, library } from "./cases.ts";

const root = join(import.meta.dirname, "../../../../..");
const published = JSON.parse(readFileSync(join(root, "test/fixtures/api/published.json"), "utf8"));
const names: string[] = published.schemas.GuardianRule.properties.rule.enum;
/** LMX has no lists of values. */
const IMPOSSIBLE = ["bareArrayNodes"];

const judge = (
  message: MessageSource,
  kind: Kind = "transactional",
  known: Known = {},
  of: Library = library,
): Verdict => inspect(message, kind, of, known).verdict;

const all = ({ errors, warnings }: Verdict): Finding[] => [...errors, ...warnings];
const found = ({ kind, known }: Case, changes: Partial<MessageSource>): Verdict =>
  judge({ ...good, ...changes }, kind, known);

const lines = (severity: string, findings: readonly Finding[]): string[] =>
  findings.flatMap(({ rule, items }) => [
    `  ${severity} ${rule}`,
    ...items.map(({ label, codeName, path, line, column, component, fix }) => {
      const location = component === undefined ? "" : ` (${component.id} ${component.line}:${component.column})`;
      const name = codeName === undefined ? "" : ` [${codeName}]`;
      return `    ${path} ${line}:${column}${location} ${JSON.stringify(label)}${name}: ${fix}`;
    }),
  ]);

const shown = (changes: Partial<MessageSource>): string =>
  Object.entries(changes)
    .filter(([, value]) => value !== "" && Object.keys(value).length > 0)
    .map(([field, value]) => `${field} ${JSON.stringify(value).slice(0, 200)}`)
    .join(", ");

it("a message without faults has none", () => expect(judge(good)).toEqual({ errors: [], warnings: [] }));

describe("every rule", () => {
  it.each(cases)("$rule finds $fires, and not $near", (one) => {
    expect(all(found(one, one.fires)).map(({ rule }) => rule)).toContain(one.rule);
    expect(all(found(one, one.near)).map(({ rule }) => rule)).not.toContain(one.rule);
  });

  it("says what is in its golden file", async () => {
    const said = cases.map((one) => {
      const { errors, warnings } = found(one, one.fires);
      const kind = one.kind === undefined ? "" : ` (${one.kind})`;
      return [
        `${one.rule}${kind}: ${shown(one.fires)}`,
        ...lines("error", errors),
        ...lines("warning", warnings),
        "",
      ].join("\n");
    });
    const table = rules.map(
      ({ rule, severity, title, description }) => `${rule} (${severity}): ${title}. ${description}`,
    );
    const golden = join(root, "test/fixtures/email/lmx/guardian.txt");
    await expect(`${table.join("\n")}\n\n${said.join("\n")}`).toMatchFileSnapshot(golden);
  });

  it("has a case, and is published or marked as ours", () => {
    const ours = rules.map(({ rule }) => rule);
    expect([...new Set(cases.map(({ rule }) => rule))].toSorted()).toEqual(ours.toSorted());
    expect(ours.filter((rule) => !rule.startsWith("mailspan."))).toEqual(
      expect.arrayContaining(names.filter((name) => !IMPOSSIBLE.includes(name))),
    );
    expect(ours.filter((rule) => !rule.startsWith("mailspan.") && !names.includes(rule))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(IMPOSSIBLE));
  });

  it("reports no problem of the compiler twice", () => {
    for (const one of cases) {
      const locations = all(found(one, one.fires)).flatMap(({ rule, items }) =>
        rule.endsWith("invalidContent") || rule.endsWith("contentWarnings")
          ? items.map(({ path, codeName, component }) => JSON.stringify([path, codeName, component]))
          : [],
      );
      expect(new Set(locations).size).toBe(locations.length);
    }
    const [button] = judge({ ...good, lmx: "<Button>Go</Button>" }).errors;
    expect(button?.items).toHaveLength(1);
    expect(judge({ ...good, lmx: "<Button>Go</Button>" }).warnings).toEqual([]);
  });
});

describe("a verdict", () => {
  it("has at most 100 items of a rule", () => {
    const many = judge({ ...good, lmx: "<Button>Go</Button>".repeat(500) });
    expect(many.errors[0]?.items).toHaveLength(100);
  });

  it("is the same for the same message, whatever the message is", () => {
    const source = fc.record({
      lmx: fc.oneof(grammarMade, mutated),
      subject: fc.oneof(fc.string(), fc.constantFrom("{data.a}", "{a", "{contact.b}", "A\nB")),
      emailFormat: fc.constantFrom("styled" as const, "plain" as const),
      dataVariablesFallbacks: fc.dictionary(fc.string(), fc.string()),
    });
    const kinds = fc.constantFrom<Kind>("transactional", "campaign", "workflow");
    fc.assert(
      fc.property(source, kinds, (changes, kind) => {
        const message = { ...emptySource, ...changes };
        const verdict = judge(message, kind, {}, otherLibrary);
        expect(judge(message, kind, {}, otherLibrary)).toEqual(verdict);
        const { compiled } = inspect(message, kind, otherLibrary);
        if (compiled === undefined) expect(verdict.errors).not.toEqual([]);
        for (const { items } of all(verdict))
          for (const item of items) expect(item.path).toMatch(/^(lmx:\d+:\d+|[a-z])/i);
      }),
      { numRuns: 300 },
    );
  });
});

describe("a sample", () => {
  const all = sampleFiles.flatMap((sample) =>
    Object.keys(themes).map((theme) => ({ sample, theme, file: sample.file })),
  );
  it.each(all)("$file with the theme $theme has no finding", ({ sample, theme }) => {
    const dataVariablesFallbacks = Object.fromEntries(
      Object.entries(sample.fallbacks).map(([name, value]) => [name.slice("data.".length), value]),
    );
    const { emailFormat: _, ...fields } = sample.fields;
    const message = { ...emptySource, ...fields, lmx: sample.lmx, dataVariablesFallbacks };
    const of = { themes: { [theme]: themes[theme]?.styles ?? {} }, defaultThemeId: theme };
    expect(judge(message, "transactional", {}, of)).toEqual({ errors: [], warnings: [] });
  });
});

it("a document with every tag has no error", () => {
  expect(judge({ ...good, lmx: everything }, "transactional", {}, otherLibrary).errors).toEqual([]);
});
