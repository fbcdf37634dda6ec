import type { Webhook } from "../webhook.ts";
import { causeOf } from "./cause.ts";
import { conditions } from "./conditions.ts";
import { oneLine } from "./one-line.ts";
import type {
  AnyRule,
  Contact,
  Leaf,
  Link,
  NameOf,
  ObjectName,
  Plan,
  PlannedCall,
  PropertyValue,
  RuleOutcome,
  RuleSet,
} from "./types.ts";
import { duration } from "./values/duration.ts";

/** Most characters of a condition that an outcome keeps: every webhook's row may hold several. */
const CLAUSE_LENGTH = 300;

/** Contact updates first, because a workflow started by an event may read them; deletions last. */
const ORDER: Readonly<Record<PlannedCall["action"], number>> = { contact: 0, event: 1, transactional: 1, delete: 2 };

/** Age at which a mail is not sent any more: a late or replayed webhook must not send a receipt of last year. */
const MAIL_AGE = "3d";

/** Stands for a rule's name in the outcome of `links` where it threw. No rule may have this name. */
export const LINKS = "links";

/**
 * Runs a provider's rules on one webhook. Returns the calls in the order to make them, the outcome of each rule for
 * this event type, and the identity links in the webhook. Pure. A rule that throws plans no call and gets the outcome
 * `failed` with the message; the other rules still run. Never throws.
 */
export const plan = (ruleSet: RuleSet, webhook: Webhook): Plan => {
  const calls: PlannedCall[] = [];
  const outcomes: RuleOutcome[] = [];
  for (const rule of ruleSet.rules) {
    if (!isOn(rule, webhook.type)) continue;
    try {
      if (rule.when && !value(rule.when, webhook.body)) {
        outcomes.push({ rule: rule.name, outcome: "not matched", clause: clauseOf(rule, webhook.source) });
        continue;
      }
      calls.push(...callsOf(rule, webhook));
      outcomes.push({ rule: rule.name, outcome: "matched" });
    } catch (error) {
      outcomes.push({ rule: rule.name, outcome: "failed", message: messageOf(error) });
    }
  }
  outcomes.push(...outcomesInstead(ruleSet, webhook));
  calls.sort((a, b) => ORDER[a.action] - ORDER[b.action]);
  const links: Link[] = [];
  try {
    for (const link of ruleSet.links(webhook.body)) {
      const known = identifiers(link, webhook.source);
      if (Object.keys(known).length > 1) links.push(known);
    }
  } catch (error) {
    outcomes.push({ rule: LINKS, outcome: "failed", message: messageWithCause(ruleSet.links, webhook.body, error) });
  }
  const names = namesIn(ruleSet, webhook);
  return { calls, outcomes, links, ...(names.length > 0 ? { names } : {}) };
};

/** The names of the provider's objects in a webhook. An id is prefixed with its source, as a ref is. */
const namesIn = ({ names }: RuleSet, { body, source }: Webhook): ObjectName[] => {
  try {
    return (names?.(body) ?? []).map(({ id, name }) => ({ id: `${source}:${id}`, name: wellFormed(name) }));
  } catch {
    // A webhook without the fields that its type has: there is no name in it.
    return [];
  }
};

/** For a type without rules whose change arrives under another type too: the rules of that type, with the advice. */
const outcomesInstead = ({ rules, instead, handler }: RuleSet, { type }: Webhook): RuleOutcome[] => {
  const other = instead && Object.hasOwn(instead, type) ? instead[type] : undefined;
  if (other === undefined) return [];
  const clause = `${other}, which ${handler.about.title} sends for the same change: enable it at the endpoint`;
  return rules.flatMap((rule) => (isOn(rule, other) ? [{ rule: rule.name, outcome: "not matched", clause }] : []));
};

const isOn = (rule: AnyRule, type: string) => (typeof rule.on === "string" ? rule.on === type : rule.on.includes(type));

/** The calls that one rule plans. Throws where the contact has no identifier or a value has a wrong type. */
const callsOf = (rule: AnyRule, webhook: Webhook): PlannedCall[] => {
  const { body, source, occurredAt } = webhook;
  const contact = identifiers(contactOf(rule, body), source);
  if (Object.keys(contact).length === 0) {
    throw new Error("The webhook gives no email, userId or ref for the contact.");
  }
  const about = { rule: rule.name, contact };
  const calls: PlannedCall[] = [];
  const unsubscribes = rule.remove === "unsubscribe";
  if (rule.update || rule.lists || unsubscribes) {
    const { values: properties, ...names } = values(rule.update ?? {}, webhook, "update", (v) => v !== undefined);
    if (unsubscribes) properties.subscribed = false;
    const lists = listsOf(rule.lists ?? {}, body);
    calls.push({ ...about, action: "contact", properties, ...names, ...(rule.lists ? { lists } : {}) });
  }
  if (rule.event) {
    const { name: eventName, properties = {} } = rule.event;
    const { values: eventProperties, ...names } = values(properties, webhook, "event.properties", isGiven);
    calls.push({ ...about, action: "event", eventName, eventProperties, ...names });
  }
  if (rule.transactional) {
    const { template, variables = {}, addToAudience = false, maxAge = MAIL_AGE, urgent } = rule.transactional;
    calls.push({
      ...about,
      action: "transactional",
      template,
      dataVariables: values(variables, webhook, "transactional.variables", isGiven).values as Record<
        string,
        string | number
      >,
      addToAudience,
      ...(urgent ? { expiresAt: occurredAt + duration(urgent.expires) } : { notAfter: occurredAt + duration(maxAge) }),
      urgent: urgent !== undefined,
    });
  }
  if (rule.remove === "delete") calls.push({ ...about, action: "delete" });
  return calls;
};

const contactOf = ({ contact }: AnyRule, body: unknown): Contact => {
  if (typeof contact === "function") return value<Contact>(contact, body);
  return { email: value(contact.email, body) ?? undefined, userId: value(contact.userId, body) ?? undefined };
};

/** The given identifiers, trimmed. A ref is prefixed with its source, because two accounts may use equal ids. */
const identifiers = (given: Contact, source: string): Link => {
  const email = identifier(given.email, "email");
  const userId = identifier(given.userId, "userId");
  const ref = identifier(given.ref, "ref");
  return { ...(email && { email }), ...(userId && { userId }), ...(ref && { ref: `${source}:${ref}` }) };
};

const identifier = (given: string | null | undefined, name: string) => {
  if (given === undefined || given === null) return undefined;
  if (typeof given !== "string") throw new Error(`The contact's ${name} must be a string, got a ${typeof given}.`);
  return wellFormed(given.trim()) || undefined;
};

/**
 * Replaces half of a surrogate pair, which a provider leaves where it shortens a name within an emoji. It is no character:
 * the host would refuse the whole call.
 */
const wellFormed = <V extends PropertyValue>(given: V): V =>
  typeof given === "string" ? (given.toWellFormed() as V) : given;

/** The value of a leaf. An error of its function names the path in the webhook, as far as it is known. */
// biome-ignore lint/suspicious/noExplicitAny: the event type was checked where the rule was written
const value = <V>(leaf: Leaf<any, V>, body: unknown): V => {
  if (typeof leaf !== "function") return leaf;
  const run = leaf as (body: unknown) => V;
  try {
    return run(body);
  } catch (error) {
    throw new Error(messageWithCause(run, body, error));
  }
};

const messageWithCause = (run: (body: unknown) => unknown, body: unknown, error: unknown): string =>
  [causeOf(run, body), messageOf(error)].filter(Boolean).join(": ");

/** Why a leaf gave a value that is not allowed: the path that it read, in parentheses. */
// biome-ignore lint/suspicious/noExplicitAny: as above
const sourceOf = (leaf: Leaf<any, unknown>, body: unknown): string => {
  const cause = typeof leaf === "function" ? causeOf(leaf as (body: unknown) => unknown, body) : undefined;
  return cause === undefined ? "" : ` (${cause})`;
};

type Given = Exclude<PropertyValue, null | undefined>;
const isGiven = (given: PropertyValue): given is Given => given !== undefined && given !== null;

const isNameOf = (given: PropertyValue | NameOf): given is NameOf =>
  typeof given === "object" && given !== null && typeof given.nameOf === "string";

/**
 * Evaluates a table of leaves and keeps the values that `keep` accepts. Throws on a value the API has no type for.
 * `names`, if any: by property, the object whose name the Outbox fills in.
 */
const values = <V extends PropertyValue>(
  // biome-ignore lint/suspicious/noExplicitAny: as above
  leaves: Readonly<Record<string, Leaf<any, PropertyValue | NameOf>>>,
  { body, source }: Webhook,
  where: string,
  keep: (given: PropertyValue) => given is V,
): { values: Record<string, V>; names?: Record<string, string> } => {
  const entries: [string, V][] = [];
  const names: [string, string][] = [];
  for (const [name, leaf] of Object.entries(leaves)) {
    const found = value(leaf, body);
    if (isNameOf(found)) names.push([name, `${source}:${found.nameOf}`]);
    const given = isNameOf(found) ? found.otherwise : found;
    if (!isPropertyValue(given)) {
      throw new Error(
        `${where}.${name} must be a string, a finite number, a boolean, null or undefined${sourceOf(leaf, body)}.`,
      );
    }
    if (keep(given)) entries.push([name, wellFormed(given)]);
  }
  return { values: Object.fromEntries(entries), ...(names.length > 0 ? { names: Object.fromEntries(names) } : {}) };
};

const listsOf = (lists: NonNullable<AnyRule["lists"]>, body: unknown): Record<string, boolean> => {
  const entries: [string, boolean][] = [];
  for (const [name, leaf] of Object.entries(lists)) {
    const given = value(leaf, body);
    if (given === undefined) continue;
    if (typeof given !== "boolean")
      throw new Error(`lists.${name} must be true, false or undefined${sourceOf(leaf, body)}.`);
    entries.push([name, given]);
  }
  return Object.fromEntries(entries);
};

const isPropertyValue = (given: unknown): given is PropertyValue =>
  given === null || ["string", "boolean", "undefined"].includes(typeof given) || Number.isFinite(given);

const clauses = new WeakMap<AnyRule, string>();

/** The text of a rule's condition on one line. */
const clauseOf = (rule: AnyRule, source: string): string => {
  const known = clauses.get(rule);
  if (known !== undefined) return known;
  const ofSource = Object.hasOwn(conditions, source) ? conditions[source] : undefined;
  const text = ofSource && Object.hasOwn(ofSource, rule.name) ? ofSource[rule.name] : undefined;
  const line = oneLine(text ?? String(rule.when));
  const clause = line.length > CLAUSE_LENGTH ? `${line.slice(0, CLAUSE_LENGTH - 1)}…` : line;
  clauses.set(rule, clause);
  return clause;
};

const messageOf = (error: unknown) => {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "The rule threw something that is not an error.";
  }
};
