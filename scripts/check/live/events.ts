import type { Checked } from "../check.ts";
import type { Problem } from "../problem.ts";
import { eventUses } from "../uses.ts";
import type { Told } from "./host.ts";
import { misfit } from "./types.ts";

/**
 * Events that the host knows in another spelling. Those it does not know it learns, and properties of other types than it
 * has learnt it takes: both are only mentioned.
 */
export const checkEvents = async (checked: readonly Checked[], { events, eventTypes }: Told): Promise<Problem[]> => {
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
        // The host takes it, and keeps the type it has learnt.
        return [{ level: "note", source, rule, fixture: wrong.fixture, message }];
      });
    }
    const other = spelt.get(name.toLowerCase());
    if (other !== undefined) {
      const message = `the event "${name}" is "${other}" at the host: names are case-sensitive, so what waits for that would not start`;
      return [{ level: "error", source, rule, message }];
    }
    unseen.add(name);
    return [];
  });
  if (unseen.size === 0) return problems;
  const message = `events the host has not seen yet, and learns from the first: ${[...unseen].join(", ")}`;
  return [...problems, { level: "note", message }];
};
