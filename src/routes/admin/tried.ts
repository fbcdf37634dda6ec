import { settableFields } from "../../lib/contract/contact-fields.ts";
import { v1 } from "../../lib/contract/v1.ts";
import type { DeliveryConfig } from "../../outbox/model/config.ts";
import type { Call } from "../../outbox/model/types.ts";
import { describeCall, whomOf } from "../../outbox/operator/sentences.ts";
import type { PlannedCall } from "../../rules/types.ts";

type Built = { operation: { method: string; path: string }; body: Record<string, unknown>; problems: string[] };

/** Formats a planned delivery without identity links of the Outbox. */
export const triedCall = (call: PlannedCall, config: DeliveryConfig) => {
  const { operation, body, problems } = requestOf(call, config);
  return {
    rule: call.rule,
    action: call.action,
    what: describeCall(call as Call),
    whom: whomOf(call as Call),
    request: { method: operation.method, path: `/v1${operation.path}`, body },
    problems: [...waits(call), ...names(call), ...problems, ...(isAllowed(call, config) ? [] : [NOT_ALLOWED])],
  };
};

const NOT_ALLOWED = "ALLOWED_RECIPIENTS does not contain the address: the call would be skipped.";

const requestOf = (call: PlannedCall, config: DeliveryConfig): Built => {
  const { email, userId } = call.contact;
  const contact = { ...(email ? { email } : {}), ...(userId ? { userId } : {}) };
  const { templates } = config;
  if (call.action === "contact") return updateOf(call, contact, config);
  if (call.action === "event") {
    const { eventName, eventProperties } = call;
    return { operation: v1.events.send, body: { ...contact, eventName, eventProperties }, problems: [] };
  }
  if (call.action === "delete")
    return { operation: v1.contacts.delete, body: userId ? { userId } : contact, problems: [] };
  const { template, dataVariables, addToAudience } = call;
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
      : [`TEMPLATES has no transactionalId for the template "${template}": the call would be dead.`],
  };
};

const updateOf = (call: PlannedCall & { action: "contact" }, contact: object, config: DeliveryConfig): Built => {
  const entries = Object.entries(call.properties);
  const custom = entries.filter(([name]) => !settableFields.has(name));
  const isFlat = config.contactProperties === "flat" || custom.length === 0;
  const properties = isFlat
    ? call.properties
    : {
        ...Object.fromEntries(entries.filter(([name]) => settableFields.has(name))),
        properties: Object.fromEntries(custom),
      };
  const lists = Object.entries(call.lists ?? {});
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
        : [`LISTS has no id for the mailing list "${name}": the call would be dead.`],
    ),
  };
};

const waits = ({ contact: { email, userId, ref }, action, waitsForTie }: PlannedCall): string[] => {
  if (!email && !userId) return [`The call waits until a webhook has linked ${ref} to an address or a user id.`];
  if (!email && action === "transactional")
    return [`The call waits until a webhook has linked user ${userId} to an address.`];
  return waitsForTie && !email
    ? [`The call waits for at most ten minutes until a webhook has tied user ${userId} to an address.`]
    : [];
};

const names = (call: PlannedCall): string[] =>
  Object.entries(call.names ?? {}).map(
    ([property, id]) => `${property} is the name of ${id}, if a webhook has told it.`,
  );

const isAllowed = ({ contact: { email } }: PlannedCall, { allowed }: DeliveryConfig): boolean => {
  const address = email?.toLowerCase();
  if (allowed.length === 0 || address === undefined) return true;
  return allowed.includes(address) || allowed.includes(address.slice(address.lastIndexOf("@")));
};
