import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { RuleSet } from "../../src/rules/types.ts";
import { goldenOf } from "./golden.ts";
import type { Problem } from "./problem.ts";
import type { Run } from "./run.ts";

type Kept = { type: string; deliveries: { rule: string }[]; outcomes: { rule: string; outcome: string }[] };

const resultsOf = (webhooks: readonly { at: string; kept: Kept }[]): Map<string, Map<string, unknown>> => {
  const found = new Map<string, Map<string, unknown>>();
  for (const { at, kept } of webhooks) {
    for (const { rule, outcome } of kept.outcomes) {
      const deliveries = kept.deliveries
        .filter((delivery) => delivery.rule === rule)
        .map(({ rule: _rule, ...rest }) => rest);
      const of = found.get(rule) ?? new Map<string, unknown>();
      of.set(at, { type: kept.type, outcome, deliveries });
      found.set(rule, of);
    }
  }
  return found;
};

const listed = (fixture: string, golden: unknown) =>
  (Array.isArray(golden) ? golden : [golden])
    // compare() reports a file of another form.
    .filter((kept) => Array.isArray(kept?.deliveries) && Array.isArray(kept?.outcomes))
    .map((kept, i) => ({ at: `${fixture} ${i}`, kept: kept as Kept }));

const goldenIn = (folder: string, fixture: string): unknown[] => {
  try {
    return [JSON.parse(readFileSync(join(folder, `${fixture}.json`), "utf8"))];
  } catch {
    return [];
  }
};

/** Must run before golden files are written. */
export const renamed = (folder: string, runs: readonly Run[], { rules }: RuleSet): Problem[] => {
  const read = runs.filter(({ unread }) => unread === undefined);
  const before = resultsOf(
    read.flatMap(({ fixture }) => goldenIn(folder, fixture).flatMap((kept) => listed(fixture, kept))),
  );
  const now = resultsOf(read.flatMap((run) => listed(run.fixture, goldenOf(run))));
  const names = new Set(rules.map(({ name }) => name));
  const gone = [...before].filter(([name, did]) => !names.has(name) && hasDeliveries(did));
  return [...now].flatMap(([name, does]): Problem[] => {
    if (before.has(name)) return [];
    const [old] = gone.find(([, did]) => isDeepStrictEqual(did, does)) ?? [];
    if (old === undefined) return [];
    const message = `looks like the rule "${old}" with a new name. The name is part of the Idempotency-Key of each delivery: if a webhook is replayed or sent again, its deliveries are sent again too`;
    return [{ level: "note", rule: name, message }];
  });
};

const hasDeliveries = (did: ReadonlyMap<string, unknown>) =>
  [...did.values()].some((each) => (each as { deliveries: unknown[] }).deliveries.length > 0);
