import type { Checked } from "../check.ts";
import type { Problem } from "../problem.ts";
import { callsOf } from "../uses.ts";
import type { HostNames } from "./host.ts";

/** Finds missing lists, and archived lists in use. */
export const checkLists = (
  checked: readonly Checked[],
  ids: Readonly<Record<string, string>>,
  { lists }: HostNames,
): Problem[] =>
  checked.flatMap((subject) =>
    subject.ruleSet.rules.flatMap((rule) =>
      Object.keys(rule.lists ?? {}).flatMap((name): Problem[] => {
        const id = ids[name];
        if (!lists || id === undefined) return [];
        const about = { level: "error", source: subject.sources[0] ?? "", rule: rule.name } as const;
        const list = lists.get(id);
        if (!list) {
          const all = [...lists].map(([key, { name }]) => `${name} (${key})`);
          const has = all.length === 0 ? "it has none" : `it has ${all.join(", ")}`;
          return [
            { ...about, message: `the list "${name}" is "${id}" in LISTS, which the host does not have; ${has}` },
          ];
        }
        const joins = callsOf(subject, rule).some(
          ({ call }) => call.action === "contact" && call.lists?.[name] === true,
        );
        if (!list.archived || !joins) return [];
        return [
          { ...about, message: `the list "${name}" (${list.name}) is archived at the host: no contact can join it` },
        ];
      }),
    ),
  );
