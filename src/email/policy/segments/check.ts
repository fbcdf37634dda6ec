import { type AudienceCondition, type AudienceFilter, MAX_CONDITIONS } from "../../../lib/contract/audience/filter.ts";
import type { Refusal } from "../../../lib/contract/errors.ts";
import { nearest } from "../../../lib/util/nearest.ts";
import type { Target, TeamFacts } from "./facts.ts";
import { propertyNames, readProperty, storedForm, typeOf } from "./meaning.ts";

const targets = {
  campaign: { code: "campaign_not_found", words: "campaign" },
  workflow: { code: "workflow_not_found", words: "workflow" },
  workflowEmail: { code: "email_message_not_found", words: "email of a workflow" },
} as const satisfies Record<Target, { code: Refusal["code"]; words: string }>;

/**
 * Checks a filter against the team and returns its stored form.
 *
 * @param path of the filter in the request, for the refusal
 */
export const checkFilter = (
  filter: AudienceFilter,
  team: TeamFacts,
  path: string,
): { filter: AudienceFilter } | { refusal: Refusal } => {
  if (filter.conditions.length > MAX_CONDITIONS) {
    const message = `${path}.conditions: must have at most ${MAX_CONDITIONS} conditions; it has ${filter.conditions.length}.`;
    return { refusal: { code: "too_many_conditions", path: `${path}.conditions`, message } };
  }
  for (const [position, condition] of filter.conditions.entries()) {
    const refusal = refusalOf(condition, team, `${path}.conditions.${position}`);
    if (refusal) return { refusal };
  }
  return { filter: storedForm(filter) };
};

const refusalOf = (condition: AudienceCondition, team: TeamFacts, at: string): Refusal | undefined => {
  if (condition.type === "optIn") return undefined;
  if (condition.type === "activity") {
    const { target, id } = condition;
    if (team.messagesOf(target, id)) return undefined;
    const { code, words } = targets[target];
    return { code, path: `${at}.id`, message: `There is no ${words} with the id "${id}".` };
  }
  const type = typeOf(condition.key, team);
  if (type === undefined) {
    const path = `${at}.key`;
    const name = nearest(condition.key, propertyNames(team));
    const meant = name === undefined ? "" : ` Is "${name}" meant?`;
    const message = `There is no contact property "${condition.key}".${meant} GET /v1/contacts/properties lists them.`;
    return { code: "unknown_property", path, message };
  }
  const read = readProperty(condition, type, team);
  if ("ask" in read) return undefined;
  const path = `${at}.${read.field}`;
  return { code: "invalid_filter", path, message: `${path}: ${read.message}.` };
};
