import type { Handler } from "../webhook.ts";

/** A property value. `undefined` omits the property, `null` clears it. */
export type PropertyValue = string | number | boolean | null | undefined;
/** The newest known name of an object. `otherwise`: the value without a known name. */
export type NameOf = { nameOf: string; otherwise?: string | undefined };
/** A value of the state in `ifStored`; absent if none is stored. */
export type StoredValue = { stored: string };
/** A constant or a pure function of the event. */
export type Leaf<E, V> = V | ((event: E) => V);

/** A delivery's contact. `ref`: the provider's id of the person. */
export type Contact = { email?: string | undefined; userId?: string | undefined; ref?: string | undefined };
/** Identifiers as rules and links give them; null and an empty text are none. */
export type GivenContact = { [Name in keyof Contact]?: string | null | undefined };

/** A possibly wrong value, which never replaces a better one. From best to worst: account, purchase, document. */
export type Guess<E> = { given?: Leaf<E, PropertyValue>; guess: Leaf<E, PropertyValue>; from: GuessedFrom };
export type GuessedFrom = "account" | "purchase" | "document";

/** A name in `TEMPLATES`, mapped to a transactionalId. `templates`: all names that a function may return. */
type Template<E> =
  | { template: string; templates?: never }
  | { template: (event: E) => string; templates: readonly [string, ...string[]] };

type SubscriptionLeaves<E> = {
  /** The provider's id, or `EVERY`. */
  id: Leaf<E, string | null | undefined>;
  /** The provider's customer id, if `contact` is no reference to it. */
  customer?: Leaf<E, string | undefined>;
  /** The provider's status; undefined if unknown. */
  status: Leaf<E, string | undefined>;
  /** ISO 8601. With equal standing, the later start is shown. */
  startedAt?: Leaf<E, string | null | undefined>;
  update: Readonly<Record<string, Leaf<E, PropertyValue | NameOf>>>;
  /** Values that are stored only. */
  state?: StateLeaves<E>;
  /** Ids of all active subscriptions at this source. Other ones that were active have ended, with these values. */
  active?: { ids: Leaf<E, readonly string[]>; ended: StateLeaves<E> };
};

type StateLeaves<E> = Readonly<Record<string, Leaf<E, PropertyValue>>>;

/** Comparisons of stored values with those of the webhook; undefined counts as null. All must hold. */
export type Comparisons<V> = {
  is?: V;
  /** Also holds for an unknown value. */
  isNot?: V;
  /** The stored value is known, and another one. */
  changed?: V;
  /** The stored number is smaller. */
  below?: V;
  above?: V;
};

type StoredLeaves<E> = Comparisons<StateLeaves<E>> & {
  /** Id of `subscription` or `remember`. */
  id: Leaf<E, string | null | undefined>;
  /** The comparisons of none of these tables must all hold. */
  unless?: readonly Comparisons<StateLeaves<E>>[];
};

type ContactLeaves<E> =
  | ((event: E) => GivenContact)
  | { email?: Leaf<E, string | null | undefined>; userId?: Leaf<E, string | null | undefined> };

type Rule<E, On> = {
  /** Unique in its file, and part of idempotency keys: a renamed rule repeats deliveries. */
  name: string;
  on: On;
  when?: (event: E) => boolean;
  contact: ContactLeaves<E>;
  /** True if a person who stays unknown is nothing to decide: the delivery is skipped. */
  mayStayUnknown?: Leaf<E, boolean>;
  /** Contact properties, including standard fields such as `firstName`. */
  update?: Readonly<Record<string, Leaf<E, PropertyValue | NameOf> | Guess<E>>>;
  /** Properties of one subscription. The contact shows the best one. */
  subscription?: SubscriptionLeaves<E>;
  /** True joins a list, false leaves it; names from `LISTS`. */
  lists?: Readonly<Record<string, Leaf<E, boolean | undefined>>>;
  /** State of another object of the person, stored only. */
  remember?: { id: Leaf<E, string | null | undefined>; state: StateLeaves<E> };
  /** Compares the state from before this webhook. If false, event and mail are not made. */
  ifStored?: StoredLeaves<E>;
  /** Id of the own subscription. Event and mail are not made if the person has another running one. */
  onlyWithoutOther?: Leaf<E, string | null | undefined>;
  event?: {
    name: string;
    properties?: Readonly<Record<string, Leaf<E, PropertyValue | NameOf> | StoredValue>>;
    /** Sends the event only to known persons, because an event creates a contact. */
    onlyKnown?: true;
    /** Maximum age of the webhook. Default: "3d"; none for facts that stay true, such as a payment: docs/rules.md. */
    maxAge?: string;
  };
  transactional?: Template<E> & {
    variables?: Readonly<Record<string, Leaf<E, string | number | null | undefined | NameOf> | StoredValue>>;
    addToAudience?: boolean;
    /** Maximum age of the webhook. Default: "3d". Ignored for urgent mail. */
    maxAge?: string;
    /** For sign-in codes and password resets: first, and not after `expires` ("10m"). */
    urgent?: { expires: string };
  };
  /** `unsubscribe` keeps contact and lists. `delete` deletes the contact, after all other deliveries. */
  remove?: "unsubscribe" | "delete";
};

type One<On> = On extends readonly (infer T)[] ? T : On;
type Of<E, T> = E extends { type: infer K } ? (T extends K ? E : never) : never;
type Known<T, On> = On extends readonly []
  ? { "on no event type": never }
  : One<On> extends T
    ? unknown
    : { "unknown event type": Exclude<One<On>, T> };

/**
 * Identifiers of one person. `strength`: account (default) beats purchase, which beats document; equal links: newer
 * wins. `to`: another ref, which `ref` belongs to; the address is then used until `to` is linked itself. `lifetime`:
 * time after the webhook in which the link is kept ("400d"); without it, until the person is erased.
 */
export type Link = GivenContact & {
  to?: string | null | undefined;
  strength?: Strength | undefined;
  lifetime?: string | undefined;
};
/** A link as the Outbox stores it. Refs include the source. `until`: Unix ms. */
export type PlannedLink = {
  ref?: string;
  email?: string;
  userId?: string;
  to?: string;
  strength?: Strength;
  until?: number;
};
export type Strength = "account" | "purchase" | "document" | "unverified";

/** A provider object's name and id. */
export type ObjectName = { id: string; name: string };

// biome-ignore lint/suspicious/noExplicitAny: the event type was checked where the rule was written
export type AnyRule = Rule<any, string | readonly string[]>;

/** A provider's rules and links; default export in `src/mappings`. */
export type RuleSet = {
  handler: Handler;
  rules: readonly AnyRule[];
  // biome-ignore lint/suspicious/noExplicitAny: as above
  links: (event: any) => readonly Link[];
  /** Event types that link user id and address. Other deliveries wait for them. */
  ties?: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: as above
  names?: (event: any) => readonly ObjectName[];
  /** Event types that `names` reads. */
  namedBy?: readonly string[];
  /** The contact property with the provider's customer id. It follows the customer to another address. */
  customerId?: string;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  choices?: (event: any) => PlanChoices<unknown> | undefined;
  /** Event types without rules, and the type with rules for the same change. */
  instead?: Readonly<Record<string, string>>;
};

/** Declares a provider's rules, with typed events. */
export const rules = <E extends { type: string }, const On extends readonly (string | readonly string[])[]>(
  handler: Handler<E>,
  list: { readonly [I in keyof On]: Rule<Of<E, One<On[I]>>, On[I] & Known<E["type"], On[I]>> },
  links: (event: E) => readonly Link[] = () => [],
  ties: readonly E["type"][] = [],
): RuleSet => ({ handler: handler as Handler, rules: list as unknown as readonly AnyRule[], links, ties });

/** Joins rules from several files. Rule names must be unique. */
export const joined = <E extends { type: string }>(
  handler: Handler<E>,
  parts: readonly RuleSet[],
  links: (event: E) => readonly Link[] = () => [],
): RuleSet => ({
  handler: handler as Handler,
  rules: parts.flatMap((part) => part.rules),
  links: (event) => [...parts.flatMap((part) => part.links(event)), ...links(event)],
  ties: parts.flatMap(({ ties = [] }) => ties),
});

/** A planned subscription. `id` begins with the source; `properties` are names. */
export type PlannedSubscription = {
  id: string;
  /** Includes the source. The subscription follows the customer to another person. */
  customer?: string;
  /** A larger rank is better; absent without a status. */
  standing?: number;
  /** ISO 8601. */
  startedAt?: string;
  properties: string[];
  state?: StoredState;
  active?: { ids: readonly string[]; ended: StoredState };
  rivals?: Rivals;
};

/** Products that may be the plan, best first; `before`: those before the change, if the webhook tells them. */
export type Rivals = { now: readonly string[]; before?: readonly string[] };

/** The choice of the plan of a subscription by what is stored of it. */
export type PlanChoices<E> = {
  /** The provider's id of the subscription. */
  id: string;
  rivals: Rivals;
  /** The event as it is where this product was the plan before. */
  as: (product: string) => E;
};

export type StoredState = Readonly<Record<string, string | number | boolean | null>>;

/** The id begins with the source. */
export type StoredCondition = Comparisons<StoredState> & { id: string; unless?: readonly Comparisons<StoredState>[] };

/** `plans`: the delivery where one of these products was the plan of subscription `id` before; null: it is not made. */
export type ByPlan = { id: string; rivals: Rivals; plans: Readonly<Record<string, PlannedDelivery | null>> };

/** A planned delivery, before it is queued. */
export type PlannedDelivery = {
  rule: string;
  contact: Contact;
  /** Another webhook will bring the user's address. */
  waitsForTie?: true;
  /** The delivery never creates a contact. */
  removes?: true;
  /** Skipped, instead of undecided, if no webhook tells the person. */
  mayStayUnknown?: true;
  /** Object ids by property; the Outbox fills in names. */
  names?: Record<string, string>;
  ifStored?: StoredCondition;
  /** Names of stored values by property; filled in with the decision about `ifStored`. */
  stored?: Record<string, string>;
  onlyWithoutOther?: string;
  /** Set if the stored plan of a subscription decides what the delivery is. */
  byPlan?: ByPlan;
  /** Of an event: stored when it is done. */
  subscription?: PlannedSubscription;
} & (
  | {
      action: "contact";
      properties: Record<string, Exclude<PropertyValue, undefined>>;
      guesses?: Record<string, GuessedFrom>;
      /** The customer with the id that property `as` holds. */
      customer?: { ref: string; as: string };
      lists?: Record<string, boolean>;
    }
  | {
      action: "event";
      eventName: string;
      eventProperties: Record<string, Exclude<PropertyValue, null | undefined>>;
      /** The event never creates a contact. */
      onlyKnown?: true;
      /** Sending deadline in Unix ms. An operator may still send it. */
      notAfter?: number;
    }
  | {
      action: "transactional";
      template: string;
      dataVariables: Record<string, string | number>;
      addToAudience: boolean;
      /** Urgent mail: Unix ms after which it must not be sent. */
      expiresAt?: number;
      /** Other mail: sending deadline in Unix ms. An operator may still send it. */
      notAfter?: number;
      urgent: boolean;
    }
  | { action: "delete" }
  /** The bridge fetches `object` of a thin event from the provider. Its rules then run. */
  | { action: "fetch"; object: string }
);

/** A rule's outcome. `clause`: source text of the false condition. */
export type RuleOutcome = {
  rule: string;
  outcome: "matched" | "not matched" | "failed";
  clause?: string;
  message?: string;
};

/** `names`: ids include the source. */
export type Plan = {
  deliveries: PlannedDelivery[];
  outcomes: RuleOutcome[];
  links: PlannedLink[];
  names?: ObjectName[];
};
