import type { Checked } from "../check.ts";
import type { Problem } from "../problem.ts";
import { eventUses } from "../uses.ts";
import type { ServiceNames } from "./service.ts";
import { misfit } from "./types.ts";

/** Wrong spellings are errors. The email service accepts unknown events and types, so these are notes. */
export const checkEvents = async (
  checked: readonly Checked[],
  { events, eventTypes }: ServiceNames,
): Promise<Problem[]> => {
  if (!events) return [];
  const uses = eventUses(checked);
  const known = new Set(events);
  const spelt = new Map(events.map((name) => [name.toLowerCase(), name]));
  const names = [...new Set(uses.map(({ name }) => name))];
  const asked = names.filter((name) => known.has(name)).map(async (name) => [name, await eventTypes(name)] as const);
  const types = new Map(await Promise.all(asked));
  const unseen = new Set<string>();
  const problems = uses.flatMap(({ source, rule, name, properties }): Problem[] => {
    if (known.has(name)) {
      return properties.flatMap((property): Problem[] => {
        const type = types.get(name)?.get(property.name);
        const wrong = type === undefined ? undefined : misfit(type, property.given);
        if (!wrong) return [];
        const message = `of the event "${name}" the property "${property.name}" ${wrong.message}`;
        // The email service accepts the value and keeps its known type.
        return [{ level: "note", source, rule, fixture: wrong.fixture, message }];
      });
    }
    const other = spelt.get(name.toLowerCase());
    if (other !== undefined) {
      const message = `the event "${name}" is "${other}" at the email service. Event names are case-sensitive: workflows of "${other}" would not start`;
      return [{ level: "error", source, rule, message }];
    }
    unseen.add(name);
    return [];
  });
  if (unseen.size === 0) return problems;
  const message = `events that the email service does not know yet. It adds each with the first delivery: ${[...unseen].join(", ")}`;
  return [...problems, { level: "note", message }];
};
