import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { type Checked, check } from "../../../../scripts/check/check.ts";
import { textOf } from "../../../../scripts/check/problem.ts";
import { generic } from "../../../../src/handlers/generic.ts";
import { type AnyRule, rules } from "../../../../src/rules/types.ts";
import type { Source } from "../../../../src/sources.ts";
import type { Handler } from "../../../../src/webhook.ts";

// biome-ignore lint/suspicious/noExplicitAny: a payload whose type is loose, as some providers' are
export type Loose = { type: string; data: any };

export let folder = "";

/** Gives each test of the calling file a temporary folder. A delivery, because files share this module. */
export const useFolder = (): void => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "mailspan-check-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
};

export const write = (path: string, content: unknown) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), JSON.stringify(content));
};
export const fixture = (name: string, data: unknown, type = name) => write(`generic/${name}.json`, { type, data });
export const golden = (name: string) => join(folder, "generic", "expected", `${name}.json`);

export const sourceOf = (list: AnyRule[], handler: unknown = generic): Source => ({
  rules: rules(handler as Handler<Loose>, list as never),
  secret: "S",
});
const config = {
  templates: { receipt: "tpl_1" },
  lists: { news: "lst_1" },
  contactProperties: "nested",
  apiUrl: "",
} as const;
export const checkAll = (sources: Record<string, Source>, update = false): Promise<Checked[]> =>
  check(sources, { fixtures: folder, config, update });
/** The problems of these rules, after their golden files are written. */
export const problemsOf = async (list: AnyRule[]): Promise<string[]> => {
  const checked = await checkAll({ generic: sourceOf(list) }, true);
  return checked.flatMap(({ problems }) => problems.map(textOf));
};

export const good: AnyRule = {
  name: "paid",
  on: "invoice.paid",
  when: (e) => e.data.amount > 0,
  contact: { email: (e) => e.data.email },
  update: { plan: (e) => e.data.plan },
};
export const PAID = { email: "ada@example.com", amount: 5, plan: "Pro" };
