import type { Handler } from "../webhook.ts";

/** A value of a contact property. `undefined` omits the property, `null` clears it. */
export type PropertyValue = string | number | boolean | null | undefined;
/**
 * The name of a provider's object, such as a product, by its id. The Outbox fills in the newest name that a webhook of the
 * object had (`names` of a `RuleSet`). `otherwise`: the value while no name is known.
 */
export type NameOf = { nameOf: string; otherwise?: string | undefined };
/** A leaf of a rule: a constant or a pure function of the provider's typed event. */
export type Leaf<E, V> = V | ((event: E) => V);

/**
 * The contact of a call. `ref`: the provider's own id of the person; the Outbox resolves it with links from other
 * webhooks.
 */
export type Contact = { email?: string | undefined; userId?: string | undefined; ref?: string | undefined };

/**
 * A value that may be wrong, such as the first word of a full name: it never replaces a better value, however new it is.
 * `given` is the better value, where the webhook has one. `from` tells where the guess comes from: a guess from an
 * account replaces one from a purchase, such as the name on a card.
 */
export type Guess<E> = { given?: Leaf<E, PropertyValue>; guess: Leaf<E, PropertyValue>; from: GuessedFrom };
export type GuessedFrom = "account" | "purchase";

/** The subscription that a webhook is about, and the contact properties that it gives. */
type SubscriptionLeaves<E> = {
  /** The provider's id. `EVERY` stands for all subscriptions that the person has at this source. */
  id: Leaf<E, string | null | undefined>;
  /** The provider's id of the customer, where `contact` is not a reference to it. */
  customer?: Leaf<E, string | undefined>;
  /** The provider's status, as `standing` ranks it. undefined where the webhook does not tell the status. */
  status: Leaf<E, string | undefined>;
  /** ISO 8601. Of two subscriptions with the same standing, the one that started later is shown. */
  startedAt?: Leaf<E, string | null | undefined>;
  update: Readonly<Record<string, Leaf<E, PropertyValue | NameOf>>>;
};

type ContactLeaves<E> =
  | ((event: E) => Contact)
  | { email?: Leaf<E, string | null | undefined>; userId?: Leaf<E, string | null | undefined> };

/** One rule: event types, condition, contact and actions. Plain data; the leaves are typed. */
type Rule<E, On> = {
  /** Unique in its file. Part of the idempotency key of each call: after a rename, the same webhook makes new calls. */
  name: string;
  on: On;
  when?: (event: E) => boolean;
  contact: ContactLeaves<E>;
  /** Contact properties to write; standard fields such as `firstName` go here too. */
  update?: Readonly<Record<string, Leaf<E, PropertyValue | NameOf> | Guess<E>>>;
  /**
   * Contact properties of one subscription. A person may have several: the contact shows the best one, whichever webhook
   * came last.
   */
  subscription?: SubscriptionLeaves<E>;
  /** Mailing lists to join (true) or leave (false), by the names in `LISTS` of the configuration. */
  lists?: Readonly<Record<string, Leaf<E, boolean | undefined>>>;
  event?: {
    name: string;
    properties?: Readonly<Record<string, Leaf<E, PropertyValue | NameOf>>>;
    /** For events about an end: sent only where a webhook or the host knows the person, because an event makes a contact. */
    onlyKnown?: true;
  };
  transactional?: {
    /** Name of the template; `TEMPLATES` in the configuration maps it to the transactionalId. */
    template: string;
    variables?: Readonly<Record<string, Leaf<E, string | number | null | undefined | NameOf>>>;
    addToAudience?: boolean;
    /** The mail is not sent when the webhook is older than this, such as "12h". Default: "3d". Ignored for urgent mail. */
    maxAge?: string;
    /** For sign-in codes, password resets and the like: sent before other mail, and not after `expires` ("10m"). */
    urgent?: { expires: string };
  };
  /**
   * For a person who is gone. `unsubscribe` keeps the contact and its mailing lists. `delete` deletes the contact,
   * after all other calls of this webhook.
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

/**
 * Identifiers of one person that a webhook shows together. `strength`: where the provider has the address from. The
 * account itself (the default) beats what was entered at a purchase, and that beats the copy in a document, such as the
 * frozen address of an invoice. Among equal links the newer one wins. An unverified address ties no person: it is only where
 * the deletion of the account looks for the contact.
 */
export type Link = { ref?: string; email?: string; userId?: string; strength?: Strength };
export type Strength = "account" | "purchase" | "document" | "unverified";

/** The name of an object of the provider, such as a product. `id`: the provider's own. */
export type ObjectName = { id: string; name: string };

/** A rule without its event type, as the evaluator uses it. */
// biome-ignore lint/suspicious/noExplicitAny: the event type was checked where the rule was written
export type AnyRule = Rule<any, string | readonly string[]>;

/** The rules of one provider and its identity links. Default export of each file in `src/mappings` and its folders. */
export type RuleSet = {
  handler: Handler;
  rules: readonly AnyRule[];
  // biome-ignore lint/suspicious/noExplicitAny: as above
  links: (event: any) => readonly Link[];
  /** Event types that tie a user id to an address. Calls of other types by a user id alone wait for such a webhook. */
  ties?: readonly string[];
  /** Names of the provider's objects in a webhook, for `NameOf`. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  names?: (event: any) => readonly ObjectName[];
  /** Event types without rules, and the type that the provider sends for the same change and that has rules. */
  instead?: Readonly<Record<string, string>>;
};

/**
 * Declares a provider's rules. `event` in each leaf has the exact type of the events in `on`. A misspelt `on` is a type
 * error on its rule.
 *
 * @param ties event types that tie a user id to an address; see `RuleSet`
 */
export const rules = <E extends { type: string }, const On extends readonly (string | readonly string[])[]>(
  handler: Handler<E>,
  list: { readonly [I in keyof On]: Rule<Of<E, One<On[I]>>, On[I] & Known<E["type"], On[I]>> },
  links: (event: E) => readonly Link[] = () => [],
  ties: readonly E["type"][] = [],
): RuleSet => ({ handler: handler as Handler, rules: list as unknown as readonly AnyRule[], links, ties });

/**
 * Joins the rules of one provider from several files, in the given order. Its links are those of all parts and of
 * `links`. Rule names must be unique over all parts.
 */
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

/** A subscription in a planned update. `id` begins with the source; `properties` names those of the call that it gives. */
export type PlannedSubscription = {
  id: string;
  /** The customer's id, with the source. When it moves to another person, the subscription follows. */
  customer?: string;
  /** The rank of the status; a larger one is better. Absent where the webhook does not tell the status. */
  standing?: number;
  /** ISO 8601. */
  startedAt?: string;
  properties: string[];
};

/** One call to the email API as a rule planned it, without an id and before it is queued. */
export type PlannedCall = {
  rule: string;
  contact: Contact;
  /**
   * The call names a user whose address another webhook of the source will tell: by the user id alone, or to remove the
   * user.
   */
  waitsForTie?: true;
  /** The rule removes the person (`remove`): the call acts on a contact that exists, and never creates one. */
  removes?: true;
  /** By property: the id of the object whose name the Outbox fills in, if it is known. */
  names?: Record<string, string>;
} & (
  | {
      action: "contact";
      properties: Record<string, Exclude<PropertyValue, undefined>>;
      /** The properties that are guesses. */
      guesses?: Record<string, GuessedFrom>;
      /** The subscription that some of the properties belong to. */
      subscription?: PlannedSubscription;
      /** Mailing lists by name. */
      lists?: Record<string, boolean>;
    }
  | {
      action: "event";
      eventName: string;
      eventProperties: Record<string, Exclude<PropertyValue, null | undefined>>;
      /** The event never makes a contact. */
      onlyKnown?: true;
    }
  | {
      action: "transactional";
      template: string;
      dataVariables: Record<string, string | number>;
      addToAudience: boolean;
      /** Urgent mail: Unix ms after which the mail must not be sent. */
      expiresAt?: number;
      /** Other mail: Unix ms after which the mail is too old. A person may still send it. */
      notAfter?: number;
      urgent: boolean;
    }
  | { action: "delete" }
);

/**
 * The outcome of one rule on one webhook. `clause`: source text of the condition that was false. A rule that did not match
 * and has no clause is on another event type, and `message` says which.
 */
export type RuleOutcome = {
  rule: string;
  outcome: "matched" | "not matched" | "failed";
  clause?: string;
  message?: string;
};

/** `names`: ids are prefixed with the source. Absent where the webhook has none. */
export type Plan = { calls: PlannedCall[]; outcomes: RuleOutcome[]; links: Link[]; names?: ObjectName[] };
