import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { unstable_readConfig as readConfig } from "wrangler";
import { sampleFiles } from "../../../scripts/lib/sample-files.ts";
import { templatesOf } from "../../../src/rules/templates.ts";
import { sources } from "../../../src/sources.ts";
import { sampleMail } from "../lib/lmx/sample-mails.ts";
import { recorded } from "./recorded.ts";

const { vars } = readConfig({ config: join(import.meta.dirname, "../../../wrangler.toml") });
const TEMPLATES = vars.TEMPLATES as Record<string, string>;
const samples = new Map(sampleFiles.map((sample) => [sample.id, sample]));
const RULES = Object.entries(sources).flatMap(([name, { rules }]) => (rules ? [[name, rules] as const] : []));

test("every sample template has a name in TEMPLATES that is that of its file, and a default rule that uses it", () => {
  const named = sampleFiles.map(({ file, id }) => [file, id]);
  expect(Object.entries(TEMPLATES).toSorted()).toEqual(named.toSorted());
  const used = RULES.flatMap(([, { rules }]) => rules.flatMap(templatesOf));
  expect([...new Set(used)].toSorted()).toEqual(sampleFiles.map(({ file }) => file));
});

const mails = await Promise.all(
  RULES.map(async ([source, ruleSet]) =>
    (await recorded(ruleSet).all()).flatMap(({ name, deliveries }) =>
      deliveries.flatMap((delivery) =>
        delivery.action === "transactional" ? [{ webhook: `${source} ${name}`, delivery }] : [],
      ),
    ),
  ),
);

describe.each(mails.flat())("$webhook: $delivery.rule", ({ delivery }) => {
  const sample = samples.get(TEMPLATES[delivery.template] ?? "");
  if (!sample) throw new Error(`no sample for ${delivery.template}`);
  const given = Object.fromEntries(
    Object.entries(delivery.dataVariables).map(([name, value]) => [`data.${name}`, String(value)]),
  );
  const { variables, lines, text } = sampleMail(sample, "calm", given);

  test("gives its sample template every variable that has no fallback, and no other than the template has", () => {
    const lacking = variables.filter((name) => given[name] === undefined && sample.fallbacks[name] === undefined);
    expect(lacking).toEqual([]);
    expect(Object.keys(given).filter((name) => !variables.includes(name))).toEqual([]);
  });

  test("reads as a mail: a subject of at most 78 characters, and no value twice in a row or missing", () => {
    expect(lines.subject?.length).toBeLessThanOrEqual(78);
    expect(`${Object.values(lines).join("\n")}\n${text}`).not.toMatch(/undefined|null|NaN|\{data|\.\.|\b(\w+) \1\b/);
  });
});
