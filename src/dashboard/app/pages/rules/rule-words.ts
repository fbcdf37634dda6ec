import type { BridgeContract } from "../../../../lib/contract/admin/bridge.ts";
import type { Response } from "../../../../lib/contract/operation.ts";

export type Rule = Response<BridgeContract["rules"]["list"]>["data"][number];
type Leaf = { value: unknown } | { text: string };

const isLeaf = (given: object): given is Leaf => "value" in given || "text" in given;
const leafText = (leaf: Leaf): string => ("text" in leaf ? leaf.text : JSON.stringify(leaf.value));

/** Formats a rule value: constant, function source, or named values. */
export const textOf = (given: Leaf | Readonly<Record<string, Leaf>>): string =>
  isLeaf(given)
    ? leafText(given)
    : Object.entries(given)
        .map(([name, leaf]) => `${name}: ${leafText(leaf)}`)
        .join("\n");

const names = (fields: object): string => Object.keys(fields).join(", ");

/** Effects of a rule, one line per delivery. */
export const doesOf = ({ update, subscription, lists, event, transactional, remove }: Rule): string[] => [
  ...(Object.keys(update).length > 0 ? [`sets ${names(update)}`] : []),
  ...(subscription ? [`sets ${names(subscription.update)} of the subscription`] : []),
  ...(Object.keys(lists).length > 0 ? [`changes the mailing lists ${names(lists)}`] : []),
  ...(event ? [`sends the event "${event.name}"`] : []),
  ...(transactional ? [`sends the mail ${transactional.templates.map((name) => `"${name}"`).join(" or ")}`] : []),
  ...(remove === null ? [] : [remove === "delete" ? "deletes the contact" : "unsubscribes the contact"]),
];
