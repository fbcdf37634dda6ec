import type { Checked } from "../check.ts";
import type { Problem } from "../problem.ts";
import { deliveriesOf } from "../uses.ts";
import type { ServiceNames } from "./service.ts";

/** Finds missing lists, and archived lists in use. */
export const checkLists = (
  checked: readonly Checked[],
  ids: Readonly<Record<string, string>>,
  { lists }: ServiceNames,
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
            {
              ...about,
              message: `the list "${name}" is "${id}" in LISTS, which the email service does not have; ${has}`,
            },
          ];
        }
        const joins = deliveriesOf(subject, rule).some(
          ({ delivery }) => delivery.action === "contact" && delivery.lists?.[name] === true,
        );
        if (!list.archived || !joins) return [];
        return [
          {
            ...about,
            message: `the list "${name}" (${list.name}) is archived at the email service: no contact can join it`,
          },
        ];
      }),
    ),
  );
