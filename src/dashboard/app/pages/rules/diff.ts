import type { BridgeContract } from "../../../../lib/contract/admin/bridge.ts";
import type { Response } from "../../../../lib/contract/operation.ts";

/** A delivery as the email service would receive it. */
export type Tried = Response<BridgeContract["rules"]["run"]>["deliveries"][number];

/** Difference between a planned delivery and today's. `fields`: names of differing values. */
export type Difference = {
  kind: "same" | "changed" | "new" | "gone";
  delivery: Tried;
  before?: Tried;
  fields: { name: string; before: string; now: string }[];
};

/** Nested values have dotted names: "eventProperties.plan". */
const valuesOf = (body: Record<string, unknown>, prefix = ""): Map<string, string> => {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      for (const entry of valuesOf(value as Record<string, unknown>, `${prefix}${name}.`)) values.set(...entry);
    else values.set(prefix + name, JSON.stringify(value));
  }
  return values;
};

const NOTHING = "–";

const fieldsOf = (before: Tried, now: Tried): Difference["fields"] => {
  const [a, b] = [valuesOf(before.request.body), valuesOf(now.request.body)];
  return [...new Set([...a.keys(), ...b.keys()])]
    .filter((name) => a.get(name) !== b.get(name))
    .map((name) => ({ name, before: a.get(name) ?? NOTHING, now: b.get(name) ?? NOTHING }));
};

const keyOf = ({ rule, action, what }: Tried): string => JSON.stringify([rule, action, what]);

/** Compares deliveries: today's first, then removed ones. */
export const differencesOf = (then: readonly Tried[], now: readonly Tried[]): Difference[] => {
  const left = new Map(then.map((delivery) => [keyOf(delivery), delivery]));
  const differences = now.map((delivery): Difference => {
    const before = left.get(keyOf(delivery));
    if (!before) return { kind: "new", delivery, fields: [] };
    left.delete(keyOf(delivery));
    const fields = fieldsOf(before, delivery);
    return { kind: fields.length === 0 ? "same" : "changed", delivery, before, fields };
  });
  return [
    ...differences,
    ...[...left.values()].map((delivery): Difference => ({ kind: "gone", delivery, fields: [] })),
  ];
};

/** Splits text around a part: before, part, after. Undefined if absent. */
export const around = (text: string, part: string): readonly [string, string, string] | undefined => {
  const at = part === "" ? -1 : text.indexOf(part);
  return at < 0 ? undefined : [text.slice(0, at), part, text.slice(at + part.length)];
};
