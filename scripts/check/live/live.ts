import type { Checked } from "../check.ts";
import type { Config } from "../config.ts";
import type { Problem } from "../problem.ts";
import { eventUses, propertyUses } from "../uses.ts";
import { checkEvents } from "./events.ts";
import { checkLists } from "./lists.ts";
import { checkProperties } from "./properties.ts";
import { askService, type ServiceNames } from "./service.ts";
import type { Where } from "./service-address.ts";
import { checkTemplates } from "./templates.ts";

/** Characters. The published hosted service counts the two quotes too. */
const MAX_FLAT = 498;

const tooLong = (checked: readonly Checked[]): Problem[] =>
  [...propertyUses(checked), ...eventUses(checked).flatMap(({ properties }) => properties)].flatMap(
    ({ source, rule, name, given }): Problem[] => {
      const long = given.find(
        ({ value }) => typeof value === "string" && value.length > MAX_FLAT && value.length <= 500,
      );
      if (!long) return [];
      const message = `"${name}" has more than ${MAX_FLAT} characters. The hosted service allows 500 with the two quotes`;
      return [{ level: "error", source, rule, fixture: long.fixture, message }];
    },
  );

const notListed = ({ properties, lists, events, templates }: ServiceNames): Problem[] =>
  Object.entries({ "contact properties": properties, "mailing lists": lists, "event patterns": events, templates })
    .filter(([, listed]) => listed === undefined)
    .map(([what]) => ({
      level: "note",
      message: `the email service cannot list its ${what}, so they are not compared`,
    }));

/**
 * Finds mismatches that would fail or lose data.
 * @param creates true if the team creates unknown properties
 */
export const checkLive = async (
  checked: readonly Checked[],
  config: Pick<Config, "templates" | "lists" | "contactProperties">,
  where: Where,
  creates: boolean,
): Promise<{ team: string; problems: Problem[] }> => {
  const names = await askService(where);
  const problems = [
    ...notListed(names),
    ...(await checkTemplates(checked, config.templates, names)),
    ...checkLists(checked, config.lists, names),
    ...checkProperties(checked, names, creates),
    ...(await checkEvents(checked, names)),
    ...(config.contactProperties === "flat" ? tooLong(checked) : []),
  ];
  return { team: names.team, problems };
};
