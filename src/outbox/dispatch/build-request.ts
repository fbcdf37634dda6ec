import type { GuessedFrom } from "../../rules/types.ts";
import {
  type Customers,
  currentCustomers,
  mergedCustomers,
  plannedCustomers,
  shownCustomers,
  shownIds,
} from "../identity/customers.ts";
import { personOf } from "../identity/identity-rows.ts";
import { addressOf, type Identifiers, identifiersOf, learnedAt, personOfContact } from "../identity/resolve-person.ts";
import { isCustomerOf } from "../identity/state.ts";
import {
  bestOf,
  current,
  hasAny,
  hasMoved,
  type Known,
  merged,
  plannedSubscriptions,
  readKnown,
  type Subscriptions,
  shown,
  shownProperties,
} from "../identity/subscriptions.ts";
import {
  ABSENT,
  GONE,
  isGoneSince,
  isKnown,
  isOutlived,
  isStale,
  readWatermarks,
  TIE,
  TOLD,
  tieOf,
  type Watermark,
  type Watermarks,
  WHOLE,
} from "../identity/watermarks.ts";
import type { WebhookDeliveries } from "../journal/journal-rows.ts";
import type { DispatchConfig } from "../model/config.ts";
import type { Delivery } from "../model/journal-types.ts";
import { reasons } from "../model/reasons.ts";
import { isIgnored } from "../model/recipients.ts";
import { barred } from "./barred.ts";
import { inDialect } from "./dialect.ts";
import { ask, askFirst, nextOf } from "./removal.ts";
import { isLeft, SHOWN, statedBy, whereLeft } from "./restate.ts";
import type { FinalState, ServiceRequest } from "./service-request.ts";

const GONE_SINCE: FinalState = {
  state: "skipped",
  message: "The person's account was deleted after this webhook happened.",
};

const OVERTAKEN: FinalState = {
  state: "replaced",
  message: "Newer webhooks have already changed everything that this delivery would change.",
};

/**
 * Resolves a delivery's contact and builds its request.
 *
 * @returns the request; `wait`, the missing identity link; or the final state without a request
 */
export const requestOf = (
  sql: SqlStorage,
  config: DispatchConfig,
  webhook: WebhookDeliveries,
  delivery: Delivery,
): ServiceRequest | { wait: string } | FinalState => {
  const { occurredAt, rank } = webhook;
  const contact = identifiersOf(sql, delivery, occurredAt);
  if (!contact)
    return {
      wait: `No webhook has linked ${delivery.contact.ref ?? "this contact"} to an email address or a userId yet.`,
    };
  const bar = barred(sql, config, delivery, contact, webhook.deliveries);
  if (bar) return bar;
  const options = (signal: AbortSignal) => ({ idempotencyKey: delivery.key, signal });

  if (delivery.action === "contact" && delivery.restates) return restateRequest(sql, config, delivery, contact);
  const asks = askFirst(sql, delivery, contact);
  if (asks && delivery.only !== "email") return { ...asks, ...ofNoContact(sql, webhook, delivery, contact) };
  if (delivery.action === "contact") {
    const update = startUpdate(sql, contact);
    const next = delivery.removes && delivery.only === "userId" ? nextOf(sql, delivery, occurredAt) : undefined;
    return addToUpdate(update, config, webhook, delivery) ?? { ...updateRequest(update, config), next };
  }
  if (delivery.action === "delete") {
    const person = personOfResolved(sql, contact);
    if (isOutlived(readWatermarks(sql, person), occurredAt, rank)) return OVERTAKEN;
    const deletion = { written: { [WHOLE]: [occurredAt, rank] } satisfies Watermarks, person };
    if (asks) return { ...asks, ...deletion };
    const identifier = contact.userId ? { userId: contact.userId } : { email: contact.email };
    return {
      next: contact.userId ? nextOf(sql, delivery, occurredAt) : undefined,
      ...deletion,
      send: (api, signal) => api.contacts.delete(identifier, { signal }),
    };
  }
  if (delivery.action === "event") {
    const body = { ...contact, eventName: delivery.eventName, eventProperties: delivery.eventProperties };
    const made: { person?: string } =
      delivery.waitsForTie && !isKnown(sql, delivery.contact) ? { person: `user:${contact.userId}` } : {};
    const both = isBoth(contact);
    if (made.person !== undefined && !delivery.removes && isGoneSince(sql, made.person, occurredAt)) return GONE_SINCE;
    const remembered = delivery.subscription && {
      person: personOfResolved(sql, contact),
      subscriptions: plannedSubscriptions(delivery, [occurredAt, rank]),
    };
    return {
      written: {},
      ...made,
      ...remembered,
      to: contact,
      both,
      send: (api, signal) => api.events.send(body, options(signal)),
    };
  }
  if (delivery.action === "fetch") throw new Error("A fetch is no request to the email service.");
  const transactionalId = Object.hasOwn(config.templates, delivery.template)
    ? config.templates[delivery.template]
    : undefined;
  if (!transactionalId) {
    return { state: "failed", message: `${reasons.noTemplate} for the template "${delivery.template}".` };
  }
  const email = addressOf(sql, delivery.contact);
  if (!email) return { wait: "No email address is known for this person." };
  const person = personOfContact(sql, delivery.contact);
  if (person !== undefined && isGoneSince(sql, person, occurredAt)) return GONE_SINCE;
  const { dataVariables } = delivery;
  const addToAudience = delivery.addToAudience && !isIgnored(config, email);
  const body = { transactionalId, email, dataVariables, ...(addToAudience ? { addToAudience } : {}) };
  return { written: {}, to: { email }, send: (api, signal) => api.transactional.send(body, options(signal)) };
};

/** The state that stays of an event without a contact to tell it of: older webhooks may still make one. */
const ofNoContact = (
  sql: SqlStorage,
  { occurredAt, rank }: WebhookDeliveries,
  delivery: Delivery,
  contact: Identifiers,
): Partial<ServiceRequest> => {
  const subscriptions = delivery.action === "event" ? plannedSubscriptions(delivery, [occurredAt, rank]) : {};
  if (Object.keys(subscriptions).length === 0) return {};
  return { person: personOfResolved(sql, contact), subscriptions, written: { [ABSENT]: [occurredAt, rank] } };
};

const restateRequest = (
  sql: SqlStorage,
  config: DispatchConfig,
  delivery: Delivery & { action: "contact" },
  contact: Identifiers,
): ServiceRequest | FinalState => {
  const { person, known } = startUpdate(sql, contact);
  const stated = statedBy(delivery, known);
  if (!stated) return SHOWN;
  if (isLeft(delivery) && !delivery.exists) return { ...ask(contact), next: whereLeft };
  const { properties, ...said } = stated;
  const body = { ...contact, ...inDialect(properties, config.contactProperties) };
  const both = isBoth(contact);
  return { written: {}, person, ...said, both, send: (api, signal) => api.contacts.update(body, { signal }) };
};

const isBoth = ({ email, userId }: Identifiers): boolean => email !== undefined && userId !== undefined;

type Update = {
  contact: Identifiers;
  /** When the address was learned, Unix ms. An older webhook may be the one that tells it. */
  learnedAt: number;
  person: string;
  isCustomer: (ref: string) => boolean;
  known: Known;
  written: Watermarks;
  subscriptions: Subscriptions;
  customers: Customers;
  properties: Record<string, string | number | boolean | null>;
  mailingLists: Record<string, boolean>;
};

export const emptyUpdate = () => ({ written: {}, subscriptions: {}, customers: {}, properties: {}, mailingLists: {} });

export const startUpdate = (sql: SqlStorage, contact: Update["contact"]): Update => {
  const person = personOfResolved(sql, contact);
  const isCustomer = (ref: string) => isCustomerOf(sql, person, ref);
  return {
    contact,
    learnedAt: isBoth(contact) ? learnedAt(sql, contact) : 0,
    person,
    isCustomer,
    known: readKnown(sql, person),
    ...emptyUpdate(),
  };
};

/** Adds fresh properties and lists of a delivery; returns the reason if there are none. */
export const addToUpdate = (
  update: Update,
  config: DispatchConfig,
  { occurredAt, rank }: Pick<WebhookDeliveries, "occurredAt" | "rank">,
  delivery: Delivery & { action: "contact" },
): FinalState | undefined => {
  const lists = Object.entries(delivery.lists ?? {});
  const unknown = lists.find(([name]) => !Object.hasOwn(config.lists, name));
  if (unknown) return { state: "failed", message: `${reasons.noList} for the mailing list "${unknown[0]}".` };
  const watermarks = { ...update.known.watermarks, ...update.written };
  const watermarkOf = (name: string): Watermark => {
    const from = delivery.guesses?.[name];
    return from === undefined ? [occurredAt, rank] : [occurredAt, rank, WEAKNESS[from]];
  };
  const isFresh = (name: string) => !isStale(watermarks, name, watermarkOf(name));
  const ofSubscription = new Set(delivery.subscription?.properties);
  const planned = plannedSubscriptions(delivery, [occurredAt, rank]);
  const subscriptions = current(merged(subscriptionsOf(update), planned), watermarks);
  const isFreshSubscription = hasAny(subscriptions, planned);
  const customers = freshCustomers(update, delivery, { occurredAt, rank, watermarks });
  const fresh = Object.entries(delivery.properties).filter(([name]) =>
    ofSubscription.has(name)
      ? isFreshSubscription
      : name === delivery.customer?.as
        ? Object.keys(customers).length > 0
        : isFresh(name),
  );
  const freshLists = lists.filter(([name]) => isFresh(listKey(name)));
  const given = Object.keys(delivery.properties).length + lists.length;
  const overtaken = given > 0 ? fresh.length + freshLists.length === 0 && !isFreshSubscription : !isFresh(WHOLE);
  // An update also ties the user id to the address, even if all values are stale.
  const ties = !delivery.removes && isBoth(update.contact) && isFresh(TIE) && isFresh(TOLD);
  if (overtaken && !ties) return OVERTAKEN;
  if (ties) Object.assign(update.written, tieOf([occurredAt, rank], update.learnedAt));
  // A late webhook from before the account's deletion does not subscribe the person again.
  if ((watermarks[GONE]?.[0] ?? 0) > occurredAt) update.properties.subscribed = false;
  for (const [name, value] of fresh)
    if (!ofSubscription.has(name) && name !== delivery.customer?.as) update.properties[name] = value;
  update.customers = mergedCustomers(update.customers, customers);
  if (isFreshSubscription) update.subscriptions = merged(update.subscriptions, planned);
  for (const [name, subscribed] of freshLists) update.mailingLists[config.lists[name] as string] = subscribed;
  for (const name of [...fresh.map(([name]) => name), ...freshLists.map(([name]) => listKey(name))])
    update.written[name] = watermarkOf(name);
  return undefined;
};

/** A customer who belongs to another person by now is left out. */
const freshCustomers = (
  { isCustomer, known, customers }: Update,
  delivery: Delivery & { action: "contact" },
  { occurredAt, rank, watermarks }: { occurredAt: number; rank: number; watermarks: Watermarks },
): Customers => {
  const planned = plannedCustomers(delivery, [occurredAt, rank]);
  const all = currentCustomers(mergedCustomers(mergedCustomers(known.customers, customers), planned), watermarks);
  return Object.fromEntries(Object.entries(planned).filter(([ref, one]) => all[ref] === one && isCustomer(ref)));
};

const WEAKNESS: Readonly<Record<GuessedFrom, number>> = { account: 1, purchase: 2, document: 3 };

const subscriptionsOf = ({ known, subscriptions }: Update): Subscriptions => merged(known.subscriptions, subscriptions);

export const updateRequest = (update: Update, config: DispatchConfig): ServiceRequest => {
  const { contact, person, known, written, mailingLists } = update;
  const all = current(subscriptionsOf(update), known.watermarks);
  const shows = Object.keys(update.subscriptions).length > 0 || hasMoved(all);
  const everyone = currentCustomers(mergedCustomers(known.customers, update.customers), known.watermarks);
  const showsIds = Object.keys(update.customers).length > 0 || hasMoved(everyone);
  const properties = {
    ...update.properties,
    ...(shows ? shownProperties(all) : {}),
    ...(showsIds ? shownIds(everyone) : {}),
  };
  const said = {
    ...(shows ? { subscriptions: shown(all), shows: bestOf(all) } : {}),
    ...(showsIds ? { customers: shownCustomers(everyone) } : {}),
  };
  const body = {
    ...contact,
    ...inDialect(properties, config.contactProperties),
    ...(Object.keys(mailingLists).length > 0 ? { mailingLists } : {}),
  };
  const both = isBoth(contact);
  return { written, person, ...said, to: contact, both, send: (api, signal) => api.contacts.update(body, { signal }) };
};

const personOfResolved = (sql: SqlStorage, { email, userId }: Update["contact"]): string =>
  personOf(sql, userId ? `user:${userId}` : `email:${email?.toLowerCase()}`);

export const listKey = (name: string): string => `list:${name}`;
