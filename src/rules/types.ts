import type { Handler } from "../webhook.ts";

/** A value of a contact property: `undefined` omits it, `null` clears it. */
export type PropertyValue = string | number | boolean | null | undefined;
/** A leaf of a rule: a constant or a pure function of the provider's typed event. */
export type Leaf<E, V> = V | ((event: E) => V);

/** Who a call is about. `ref` is a provider's own id of the person, resolved through what other webhooks told us. */
export type Contact = { email?: string | undefined; userId?: string | undefined; ref?: string | undefined };

type ContactLeaves<E> =
  | ((event: E) => Contact)
  | { email?: Leaf<E, string | null | undefined>; userId?: Leaf<E, string | null | undefined> };

/** One rule: which events, under which condition, for whom, and what to do. Plain data with typed leaves. */
type Rule<E, On> = {
  /** Unique in its file. Part of every idempotency key of the rule: renaming a rule makes its calls new. */
  name: string;
  on: On;
  when?: (event: E) => boolean;
  contact: ContactLeaves<E>;
  /** Contact properties to write; standard fields such as `firstName` go here too. */
  update?: Readonly<Record<string, Leaf<E, PropertyValue>>>;
  /** Mailing lists to join (true) or leave, by the names that `LISTS` in the configuration gives the ids of. */
  lists?: Readonly<Record<string, Leaf<E, boolean | undefined>>>;
  event?: { name: string; properties?: Readonly<Record<string, Leaf<E, PropertyValue>>> };
  transactional?: {
    /** Name of the template; `TEMPLATES` in the configuration gives the transactionalId. */
    template: string;
    variables?: Readonly<Record<string, Leaf<E, string | number | null | undefined>>>;
    addToAudience?: boolean;
    /** Mail with a short life (sign-in codes, resets): goes first, and is not sent after `expires` ("10m"). */
    urgent?: { expires: string };
  };
  /**
   * What to do about a person who is gone, after everything else of this webhook. `unsubscribe` keeps the contact and
   * what it chose; `delete` forgets both.
   */
  remove?: "unsubscribe" | "delete";
};

type One<On> = On extends readonly (infer T)[] ? T : On;
type Of<E, T> = E extends { type: infer K } ? (T extends K ? E : never) : never;
type Known<T, On> = On extends readonly []
  ? { "on no event type": never }
  : One<On> extends T
    ? unknown
    : { "unknown event type": Exclude<One<On>, T> };

/** A person's identifiers that a webhook shows to belong together. */
export type Link = { ref?: string; email?: string; userId?: string };

/** A rule after its types are checked: what the evaluator works on. */
// biome-ignore lint/suspicious/noExplicitAny: the event type was checked where the rule was written
export type AnyRule = Rule<any, string | readonly string[]>;

/** The rules of one provider and the links it can tell. Default export of each file in `src/mappings` and its folders. */
export type RuleSet = {
  handler: Handler;
  rules: readonly AnyRule[];
  // biome-ignore lint/suspicious/noExplicitAny: as above
  links: (event: any) => readonly Link[];
};

/**
 * Declares a provider's rules. `event` in each leaf has the exact type of the event(s) named in `on`;
 * a misspelt `on` is a type error on the rule that has it.
 */
export const rules = <E extends { type: string }, const On extends readonly (string | readonly string[])[]>(
  handler: Handler<E>,
  list: { readonly [I in keyof On]: Rule<Of<E, One<On[I]>>, On[I] & Known<E["type"], On[I]>> },
  links: (event: E) => readonly Link[] = () => [],
): RuleSet => ({ handler: handler as Handler, rules: list as unknown as readonly AnyRule[], links });

/**
 * Puts the rules of one provider together that stand in several files, in the order they are given, with the links of all
 * of them and those told here. Rule names have to be unique over all parts.
 */
export const joined = <E extends { type: string }>(
  handler: Handler<E>,
  parts: readonly RuleSet[],
  links: (event: E) => readonly Link[] = () => [],
): RuleSet => ({
  handler: handler as Handler,
  rules: parts.flatMap((part) => part.rules),
  links: (event) => [...parts.flatMap((part) => part.links(event)), ...links(event)],
});

/** What a rule wants done: one API call, before it is given an identity and a place in the queue. */
export type PlannedCall = {
  rule: string;
  contact: Contact;
} & (
  | {
      action: "contact";
      properties: Record<string, Exclude<PropertyValue, undefined>>;
      /** Mailing lists by name. */
      lists?: Record<string, boolean>;
    }
  | { action: "event"; eventName: string; eventProperties: Record<string, Exclude<PropertyValue, null | undefined>> }
  | {
      action: "transactional";
      template: string;
      dataVariables: Record<string, string | number>;
      addToAudience: boolean;
      /** Unix ms after which the mail is of no use. */
      expiresAt?: number;
      urgent: boolean;
    }
  | { action: "delete" }
);

/** What became of one rule on one webhook: `clause` is the source text of the condition that was false. */
export type RuleOutcome = {
  rule: string;
  outcome: "matched" | "not matched" | "failed";
  clause?: string;
  message?: string;
};

export type Plan = { calls: PlannedCall[]; outcomes: RuleOutcome[]; links: Link[] };
