import type { Webhook } from "../webhook.ts";
import { standing } from "./billing/standing.ts";
import { isGiven, isWritten, value, values } from "./leaves.ts";
import { stateOf } from "./stored.ts";
import type { AnyRule, Contact, Guess, GuessedFrom, PlannedDelivery, PlannedSubscription } from "./types.ts";

type Update = Pick<PlannedDelivery & { action: "contact" }, "properties" | "names" | "guesses" | "subscription">;

const isGuess = (leaf: unknown): leaf is Guess<unknown> => typeof leaf === "object" && leaf !== null && "guess" in leaf;

export const updateOf = (rule: AnyRule, webhook: Webhook, { ref }: Contact): Update => {
  const { update = {}, subscription } = rule;
  const guesses: Record<string, GuessedFrom> = {};
  const leaves = Object.entries(update).map(([name, leaf]) => {
    if (!isGuess(leaf)) return [name, leaf];
    if (leaf.given !== undefined && isGiven(value(leaf.given, webhook.body))) return [name, leaf.given];
    const guess = value(leaf.guess, webhook.body);
    if (isGiven(guess)) guesses[name] = leaf.from;
    return [name, guess ?? undefined];
  });
  const own = values(Object.fromEntries(leaves), webhook, "update", isWritten);
  const of = subscription ? subscriptionOf(subscription, webhook, ref) : rememberedOf(rule, webhook, ref);
  const names = { ...own.names, ...of?.names };
  return {
    properties: { ...own.values, ...of?.properties },
    ...(Object.keys(names).length > 0 ? { names } : {}),
    ...(Object.keys(guesses).length > 0 ? { guesses } : {}),
    ...(of ? { subscription: of.subscription } : {}),
  };
};

/** Plans the stored state of an object that is no subscription. */
export const rememberedOf = (
  { remember }: AnyRule,
  webhook: Webhook,
  ref: string | undefined,
): { properties: Record<string, never>; names?: undefined; subscription: PlannedSubscription } | undefined => {
  if (!remember) return undefined;
  const id = value<string | null | undefined>(remember.id, webhook.body);
  const about = { id: `${webhook.source}:${id ?? ""}`, ...(ref ? { customer: ref } : {}), properties: [] };
  return { properties: {}, subscription: { ...about, state: stateOf(remember.state, webhook, "remember.state") } };
};

const subscriptionOf = (
  { id, customer, status, startedAt, update, state, active }: NonNullable<AnyRule["subscription"]>,
  webhook: Webhook,
  ref: string | undefined,
): Pick<Update, "properties" | "names"> & { subscription: PlannedSubscription } => {
  const { body, source } = webhook;
  const { values: properties, names } = values(update, webhook, "subscription.update", isWritten);
  const word = value(status, body);
  const owner = value(customer, body);
  const start = value<string | null | undefined>(startedAt, body);
  const subscription = {
    id: `${source}:${value<string | null | undefined>(id, body) ?? ""}`,
    ...(ref ? { customer: ref } : owner ? { customer: `${source}:${owner}` } : {}),
    ...(word === undefined ? {} : { standing: standing(word) }),
    ...(start ? { startedAt: start } : {}),
    properties: Object.keys({ ...properties, ...names }),
    ...(state ? { state: stateOf(state, webhook, "subscription.state") } : {}),
    ...(active
      ? {
          active: {
            ids: value<readonly string[]>(active.ids, body).map((one) => `${source}:${one}`),
            ended: stateOf(active.ended, webhook, "subscription.active.ended"),
          },
        }
      : {}),
  };
  return { properties, ...(names ? { names } : {}), subscription };
};
