import type { PlannedDelivery } from "../../rules/types.ts";
import { MOVED } from "../model/delivery-state.ts";
import { splitKey } from "./identifier-keys.ts";

/** A contact to write again, because a customer left it or came to it. `names`: properties that the customer took along. */
export type Restated = { contact: PlannedDelivery["contact"]; names: readonly string[] };

/** The contact that a customer leaves, and the one that it comes to. */
export const restatedBy = (from: string, to: string, names: readonly string[]): Restated[] =>
  names.length === 0
    ? []
    : [
        { contact: contactOfKey(from), names },
        { contact: contactOfKey(to), names: [] },
      ];

const contactOfKey = (key: string): PlannedDelivery["contact"] => {
  const [kind, name] = splitKey(key);
  return kind === "user" ? { userId: name } : { email: name };
};

/** Plans the deliveries that write contacts again. `key`: unique per webhook and cause. */
export const restatements = (restated: readonly Restated[], key: readonly unknown[]) =>
  restated.map(({ contact, names }, index) => ({
    rule: MOVED,
    action: "contact" as const,
    contact,
    properties: Object.fromEntries(names.map((name) => [name, null])),
    key: JSON.stringify([...key, MOVED, index]),
    restates: true as const,
  }));
