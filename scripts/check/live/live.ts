import type { Checked } from "../check.ts";
import type { Config } from "../config.ts";
import type { Problem } from "../problem.ts";
import { eventUses, propertyUses } from "../uses.ts";
import { checkEvents } from "./events.ts";
import { askHost, type Told } from "./host.ts";
import { checkLists } from "./lists.ts";
import { checkProperties } from "./properties.ts";
import { checkTemplates } from "./templates.ts";
import type { Where } from "./where.ts";

/** Longest text of the published hosted service, which counts the quotes around it. */
const MAX_FLAT = 498;

const tooLong = (checked: readonly Checked[]): Problem[] =>
  [...propertyUses(checked), ...eventUses(checked).flatMap(({ properties }) => properties)].flatMap(
    ({ source, rule, name, given }): Problem[] => {
      const long = given.find(
        ({ value }) => typeof value === "string" && value.length > MAX_FLAT && value.length <= 500,
      );
      if (!long) return [];
      const message = `"${name}" has more than ${MAX_FLAT} characters: with its quotes more than the 500 of the hosted service`;
      return [{ level: "error", source, rule, fixture: long.fixture, message }];
    },
  );

const untold = ({ properties, lists, events, templates }: Told): Problem[] =>
  Object.entries({ "contact properties": properties, "mailing lists": lists, "event patterns": events, templates })
    .filter(([, told]) => told === undefined)
    .map(([what]) => ({ level: "note", message: `the host does not tell its ${what}: they are not compared` }));

/**
 * Every mismatch between the rules and a host of the API that would fail, or get lost, in production.
 * @param creates whether the team makes unknown contact properties from their first value
 */
export const checkLive = async (
  checked: readonly Checked[],
  config: Pick<Config, "templates" | "lists" | "contactProperties">,
  where: Where,
  creates: boolean,
): Promise<{ team: string; problems: Problem[] }> => {
  const told = await askHost(where);
  const problems = [
    ...untold(told),
    ...checkTemplates(checked, config.templates, told),
    ...checkLists(checked, config.lists, told),
    ...checkProperties(checked, told, creates),
    ...(await checkEvents(checked, told)),
    ...(config.contactProperties === "flat" ? tooLong(checked) : []),
  ];
  return { team: told.team, problems };
};
