import type { AdminContract } from "../../../../../lib/contract/admin/email.ts";
import type { PropertyType } from "../../../../../lib/contract/contact-fields.ts";
import type { RequestInput } from "../../../../../lib/contract/operation.ts";
import { propertyValue } from "../../events/values.ts";
import { counted } from "../words.ts";

type Asked = Omit<RequestInput<AdminContract["insight"]["simulate"]>, "team" | "workflowId">;

export type Assumed = { day: string; property: string; value: string };

/** A typed simulation. `contact`: empty for a made-up person. `properties`: event values. */
export type TrialDraft = {
  contact: string;
  event: string;
  properties: Record<string, string>;
  assume: readonly Assumed[];
  days: string;
};

export const emptyTrial: TrialDraft = { contact: "", event: "", properties: {}, assume: [], days: "60" };

type Types = ReadonlyMap<string, PropertyType>;
type EventProperties = readonly { name: string; type: PropertyType }[];

const assumeOf = (assume: readonly Assumed[], types: Types): NonNullable<Asked["assume"]> => {
  const found: Record<string, Record<string, string | number | boolean>> = {};
  for (const { day, property, value } of assume) {
    const at = day.trim();
    found[at] = { ...found[at], [property]: propertyValue(types.get(property) ?? "string", value) };
  }
  return found;
};

/** Request for a simulation. */
export const askedOf = (
  { contact, event, properties, assume, days }: TrialDraft,
  known: EventProperties,
  types: Types,
): Asked => {
  const given = Object.entries(properties).filter(([, value]) => value.trim() !== "");
  const typeOf = (name: string) => known.find((one) => one.name === name)?.type ?? "string";
  return {
    ...(contact.trim() === "" ? {} : { contact: contact.trim() }),
    ...(event.trim() === ""
      ? {}
      : {
          event: {
            name: event.trim(),
            properties: Object.fromEntries(given.map(([name, value]) => [name, propertyValue(typeOf(name), value)])),
          },
        }),
    ...(assume.length === 0 ? {} : { assume: assumeOf(assume, types) }),
    days: Number(days),
  };
};

const isDays = (text: string, most: number): boolean =>
  text.trim() !== "" && Number.isFinite(Number(text)) && Number(text) > 0 && Number(text) <= most;

/** Problem of a number of days, or undefined. */
export const daysProblem = (text: string, most: number): string | undefined =>
  isDays(text, most) ? undefined : `Give a number of days, more than 0 and at most ${most}.`;

/** Problem of an assumption. `days`: simulated days. */
export const assumedProblem = ({ day, property }: Assumed, days: string): string | undefined => {
  if (day.trim() === "" || !(Number(day) >= 0)) return "Give the number of days after the entry.";
  if (Number(day) > Number(days)) return `Give at most ${counted(Number(days), "day")}: no more are played.`;
  return property === "" ? "Choose a property." : undefined;
};
