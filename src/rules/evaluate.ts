import { bytesOf, MAX_EVENT } from "../lib/contract/fields.ts";
import type { Webhook } from "../webhook.ts";
import { withChoices } from "./choices.ts";
import { clauseOf } from "./clause.ts";
import { kindOf, pathOf } from "./failing-path.ts";
import { isGiven, listsOf, messageOf, value, values, wellFormed } from "./leaves.ts";
import { conditionsOf } from "./stored.ts";
import { templateOf } from "./templates.ts";
import type {
  AnyRule,
  GivenContact,
  Link,
  ObjectName,
  Plan,
  PlannedDelivery,
  PlannedLink,
  RuleOutcome,
  RuleSet,
} from "./types.ts";
import { rememberedOf, updateOf } from "./update.ts";
import { duration } from "./values/duration.ts";

/** Contact updates go first, because a workflow may read them; deletions last. */
const ORDER: Readonly<Record<PlannedDelivery["action"], number>> = {
  contact: 0,
  event: 1,
  transactional: 1,
  delete: 2,
  fetch: 0,
};

/** A late webhook must not send last year's receipt, and start no workflow. */
export const LARGEST_AGE = "3d";

/** Outcome name of a failing `links`. No rule may have this name. */
export const LINKS = "links";

/** Rule name of the delivery that fetches the object of a thin event. No rule may have this name. */
const FETCHED = "fetched object";

/** Runs rules on one webhook. A rule that throws gets `failed`; the others still run. Pure; never throws. */
export const plan = (ruleSet: RuleSet, given: Webhook): Plan => {
  const thin = ruleSet.handler.api?.thinEvents?.read(given.body);
  if (thin && hasRulesOn(ruleSet, thin.type)) {
    const fetch: PlannedDelivery = { rule: FETCHED, action: "fetch", contact: {}, object: thin.object };
    return { deliveries: [fetch], outcomes: [], links: [] };
  }
  const webhook = thin ? { ...given, type: thin.type } : given;
  const { deliveries: made, outcomes } = runRules(ruleSet, webhook);
  const runOn = (body: unknown) => runRules(ruleSet, { ...webhook, body }).deliveries;
  const deliveries = withChoices(made, ruleSet, webhook, runOn);
  outcomes.push(...outcomesInstead(ruleSet, webhook));
  deliveries.sort((a, b) => ORDER[a.action] - ORDER[b.action]);
  const links: PlannedLink[] = [];
  try {
    for (const link of value(ruleSet.links, webhook.body)) links.push(...linksOf(link, webhook, ruleSet.links));
  } catch (error) {
    outcomes.push({ rule: LINKS, outcome: "failed", message: messageOf(error) });
  }
  const names = namesIn(ruleSet, webhook);
  return { deliveries, outcomes, links, ...(names.length > 0 ? { names } : {}) };
};

const runRules = (ruleSet: RuleSet, webhook: Webhook): Pick<Plan, "deliveries" | "outcomes"> => {
  const deliveries: PlannedDelivery[] = [];
  const outcomes: RuleOutcome[] = [];
  const { ties = [] } = ruleSet;
  // A linking webhook without address means that the user has none.
  const mayWait = ties.length > 0 && !ties.includes(webhook.type);
  for (const rule of rulesOn(ruleSet, webhook.type)) {
    try {
      if (rule.when && !value(rule.when, webhook.body)) {
        outcomes.push({ rule: rule.name, outcome: "not matched", clause: clauseOf(rule, webhook.source) });
        continue;
      }
      deliveries.push(...deliveriesOf(rule, webhook, { ...ruleSet, mayWait }));
      outcomes.push({ rule: rule.name, outcome: "matched" });
    } catch (error) {
      outcomes.push({ rule: rule.name, outcome: "failed", message: messageOf(error) });
    }
  }
  return { deliveries, outcomes };
};

const namesIn = ({ names }: RuleSet, { body, source }: Webhook): ObjectName[] => {
  try {
    return (names?.(body) ?? []).map(({ id, name }) => ({ id: `${source}:${id}`, name: wellFormed(name) }));
  } catch {
    return [];
  }
};

const outcomesInstead = (ruleSet: RuleSet, { type }: Webhook): RuleOutcome[] => {
  const { instead, handler } = ruleSet;
  const other = instead && Object.hasOwn(instead, type) ? instead[type] : undefined;
  if (other === undefined) return [];
  const message = `${handler.about.title} sends ${other} for the same change: enable ${other} at the endpoint.`;
  return rulesOn(ruleSet, other).map(({ name }) => ({ rule: name, outcome: "not matched", message }));
};

/** True if a webhook of this type can make deliveries or give names. */
const hasRulesOn = (ruleSet: RuleSet, type: string): boolean =>
  ruleSet.namedBy?.includes(type) === true || rulesOn(ruleSet, type).length > 0;

const byType = new WeakMap<readonly AnyRule[], ReadonlyMap<string, readonly AnyRule[]>>();

/** The rules on a type of webhook, in their order. */
const rulesOn = ({ rules }: Pick<RuleSet, "rules">, type: string): readonly AnyRule[] => {
  const known = byType.get(rules) ?? indexed(rules);
  byType.set(rules, known);
  return known.get(type) ?? [];
};

const indexed = (rules: readonly AnyRule[]): ReadonlyMap<string, readonly AnyRule[]> => {
  const types = new Set(rules.flatMap(({ on }) => on));
  return new Map([...types].map((type) => [type, rules.filter(({ on }) => [on].flat().includes(type))]));
};

/** Stored values are filled in with the decision about `ifStored`. */
const refuseStored = ({ ifStored }: AnyRule, { stored }: { stored?: Record<string, string> }, where: string) => {
  const [name] = stored ? Object.keys(stored) : [];
  if (name !== undefined && !ifStored) throw new Error(`${where}.${name} is a stored value, which needs ifStored.`);
};

const deliveriesOf = (
  rule: AnyRule,
  webhook: Webhook,
  { mayWait, customerId }: Pick<RuleSet, "customerId"> & { mayWait: boolean },
): PlannedDelivery[] => {
  const { body, occurredAt } = webhook;
  const contact = identifiers(contactOf(rule, body), webhook, (read) => contactOf(rule, read));
  if (Object.keys(contact).length === 0) {
    throw new Error("The webhook gives no email, userId or ref for the contact.");
  }
  const isUserIdAlone = contact.userId !== undefined && contact.email === undefined && contact.ref === undefined;
  const isRemovalOfUser = rule.remove !== undefined && contact.userId !== undefined;
  const unknown = value(rule.mayStayUnknown, body) ? { mayStayUnknown: true as const } : {};
  const about = { rule: rule.name, contact, ...unknown };
  const traits = {
    ...(mayWait && (isUserIdAlone || isRemovalOfUser) ? { waitsForTie: true as const } : {}),
    ...(rule.remove ? { removes: true as const } : {}),
  };
  const deliveries: PlannedDelivery[] = [];
  const unsubscribes = rule.remove === "unsubscribe";
  const updates = rule.update || rule.subscription || rule.lists || unsubscribes;
  const conditions = conditionsOf(rule, webhook);
  if (updates) {
    const { properties, ...more } = updateOf(rule, webhook, contact);
    if (unsubscribes) properties.subscribed = false;
    const id = customerId === undefined ? undefined : properties[customerId];
    const customer = customerId && id ? { customer: { ref: `${webhook.source}:${id}`, as: customerId } } : {};
    const lists = rule.lists ? { lists: listsOf(rule.lists, body) } : {};
    deliveries.push({ ...about, ...traits, action: "contact", properties, ...more, ...customer, ...lists });
  }
  if (rule.event) {
    const { name: eventName, properties = {}, onlyKnown, maxAge } = rule.event;
    const { values: eventProperties, ...names } = values(properties, webhook, "event.properties", isGiven);
    refuseStored(rule, names, "event.properties");
    const bytes = bytesOf(eventProperties);
    if (bytes > MAX_EVENT)
      throw new Error(`event.properties: have ${bytes} bytes, at most ${MAX_EVENT} are sent: give fewer properties.`);
    const limits = {
      ...(onlyKnown ? { onlyKnown } : {}),
      ...(maxAge === undefined ? {} : { notAfter: occurredAt + duration(maxAge) }),
    };
    const remembered = updates ? undefined : rememberedOf(rule, webhook, contact.ref);
    deliveries.push({
      ...about,
      ...traits,
      action: "event",
      eventName,
      eventProperties,
      ...limits,
      ...names,
      ...conditions,
      ...(remembered ? { subscription: remembered.subscription } : {}),
    });
  }
  if (rule.transactional) {
    const { variables = {}, addToAudience = false, maxAge = LARGEST_AGE, urgent } = rule.transactional;
    const { values: given, ...names } = values(variables, webhook, "transactional.variables", isGiven);
    refuseStored(rule, names, "transactional.variables");
    const dataVariables = given as Record<string, string | number>;
    deliveries.push({
      ...about,
      action: "transactional",
      template: templateOf(rule.transactional, body),
      dataVariables,
      addToAudience,
      ...names,
      ...conditions,
      ...(urgent ? { expiresAt: occurredAt + duration(urgent.expires) } : { notAfter: occurredAt + duration(maxAge) }),
      urgent: urgent !== undefined,
    });
  }
  if (rule.remove === "delete") deliveries.push({ ...about, ...traits, action: "delete" });
  return deliveries;
};

const linksOf = (link: Link, webhook: Webhook, run: (body: unknown) => unknown): PlannedLink[] => {
  const { strength, lifetime } = link;
  const known = identifiers(link, webhook, run);
  const to = link.to ? identifiers({ ref: link.to }, webhook, run).ref : undefined;
  const isTo = to !== undefined && known.ref !== undefined && to !== known.ref;
  if (Object.keys(known).length < 2 && !isTo) return [];
  const about = { ...(strength && { strength }), ...(lifetime && { until: webhook.occurredAt + duration(lifetime) }) };
  return [{ ...known, ...(isTo && { to }), ...about }];
};

const contactOf = ({ contact }: AnyRule, body: unknown): GivenContact => {
  if (typeof contact === "function") return value<GivenContact>(contact, body);
  return { email: value(contact.email, body), userId: value(contact.userId, body) };
};

/** A ref is prefixed with its source, because two accounts may use equal ids. */
const identifiers = (given: GivenContact, { body, source }: Webhook, run: (body: unknown) => unknown): PlannedLink => {
  const identifierOf = (name: "email" | "userId" | "ref") =>
    identifier(given[name], name, () => pathOf(run, body, given[name]));
  const [email, userId, ref] = [identifierOf("email"), identifierOf("userId"), identifierOf("ref")];
  return { ...(email && { email }), ...(userId && { userId }), ...(ref && { ref: `${source}:${ref}` }) };
};

const identifier = (given: string | null | undefined, name: string, pathOfGiven: () => string | undefined) => {
  if (given === undefined || given === null) return undefined;
  if (typeof given !== "string") {
    const path = pathOfGiven();
    const where = path === undefined ? "" : ` (${path})`;
    throw new Error(`The contact's ${name} must be a string, got ${kindOf(given)}${where}.`);
  }
  return wellFormed(given.trim()) || undefined;
};
