import { settableFields } from "../../lib/contract/contact-fields.ts";
import { v1 } from "../../lib/contract/v1.ts";
import type { DispatchConfig } from "../../outbox/model/config.ts";
import type { Delivery } from "../../outbox/model/journal-types.ts";
import { barredBy } from "../../outbox/model/recipients.ts";
import { describeDelivery, whomOf } from "../../outbox/operator/sentences.ts";
import type { PlannedDelivery } from "../../rules/types.ts";

type Built = { operation: { method: string; path: string }; body: Record<string, unknown>; problems: string[] };

/** Formats a planned delivery without identity links of the Outbox. */
export const triedDelivery = (delivery: PlannedDelivery, config: DispatchConfig) => {
  if (delivery.action === "fetch") return triedFetch(delivery);
  const { operation, body, problems } = requestOf(delivery, config);
  return {
    rule: delivery.rule,
    action: delivery.action,
    what: describeDelivery(delivery as Delivery),
    whom: whomOf(delivery as Delivery),
    request: { method: operation.method, path: `/v1${operation.path}`, body },
    problems: [...waits(delivery), ...names(delivery), ...problems, ...bars(delivery, config)],
  };
};

const bars = (delivery: PlannedDelivery, config: DispatchConfig): string[] => {
  const { email } = delivery.contact;
  const reason = email === undefined ? undefined : barredBy(config, delivery, email);
  return reason === undefined ? [] : [`${reason} The delivery would be skipped.`];
};

const triedFetch = (delivery: PlannedDelivery & { action: "fetch" }) => ({
  rule: delivery.rule,
  action: delivery.action,
  what: describeDelivery(delivery as Delivery),
  whom: whomOf(delivery as Delivery),
  request: { method: "GET", path: delivery.object, body: {} },
  problems: ["A thin event has no data. The rules run once the bridge has fetched it from the provider."],
});

const requestOf = (delivery: Exclude<PlannedDelivery, { action: "fetch" }>, config: DispatchConfig): Built => {
  const { email, userId } = delivery.contact;
  const contact = { ...(email ? { email } : {}), ...(userId ? { userId } : {}) };
  const { templates } = config;
  if (delivery.action === "contact") return updateOf(delivery, contact, config);
  if (delivery.action === "event") {
    const { eventName, eventProperties } = delivery;
    return { operation: v1.events.send, body: { ...contact, eventName, eventProperties }, problems: [] };
  }
  if (delivery.action === "delete")
    return { operation: v1.contacts.delete, body: userId ? { userId } : contact, problems: [] };
  const { template, dataVariables, addToAudience } = delivery;
  const transactionalId = Object.hasOwn(templates, template) ? templates[template] : undefined;
  return {
    operation: v1.transactional.send,
    body: {
      ...(transactionalId ? { transactionalId } : {}),
      ...(email ? { email } : {}),
      dataVariables,
      ...(addToAudience ? { addToAudience } : {}),
    },
    problems: transactionalId
      ? []
      : [`TEMPLATES has no transactionalId for the template "${template}": the delivery would be failed.`],
  };
};

const updateOf = (
  delivery: PlannedDelivery & { action: "contact" },
  contact: object,
  config: DispatchConfig,
): Built => {
  const entries = Object.entries(delivery.properties);
  const custom = entries.filter(([name]) => !settableFields.has(name));
  const isFlat = config.contactProperties === "flat" || custom.length === 0;
  const properties = isFlat
    ? delivery.properties
    : {
        ...Object.fromEntries(entries.filter(([name]) => settableFields.has(name))),
        properties: Object.fromEntries(custom),
      };
  const lists = Object.entries(delivery.lists ?? {});
  const known = lists.flatMap(([name, joins]) => {
    const id = Object.hasOwn(config.lists, name) ? config.lists[name] : undefined;
    return id === undefined ? [] : [[id, joins] as const];
  });
  return {
    operation: v1.contacts.update,
    body: {
      ...contact,
      ...properties,
      ...(known.length > 0 ? { mailingLists: Object.fromEntries(known) } : {}),
    },
    problems: lists.flatMap(([name]) =>
      Object.hasOwn(config.lists, name)
        ? []
        : [`LISTS has no id for the mailing list "${name}": the delivery would be failed.`],
    ),
  };
};

const waits = ({ contact: { email, userId, ref }, action, waitsForTie }: PlannedDelivery): string[] => {
  if (!email && !userId) return [`The delivery waits until a webhook has linked ${ref} to an address or a user id.`];
  if (!email && action === "transactional")
    return [`The delivery waits until a webhook has linked user ${userId} to an address.`];
  return waitsForTie && !email
    ? [`The delivery waits for at most ten minutes until a webhook has tied user ${userId} to an address.`]
    : [];
};

const names = (delivery: PlannedDelivery): string[] =>
  Object.entries(delivery.names ?? {}).map(
    ([property, id]) => `${property} is the name of ${id}, if a webhook has told it.`,
  );
