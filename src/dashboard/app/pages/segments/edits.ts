import { wordsOfConditions } from "../../../../lib/contract/audience/condition-words.ts";
import type { Response } from "../../../../lib/contract/operation.ts";
import type { V1 } from "../../../../lib/contract/v1.ts";
import type { Theirs } from "../../parts/acts/conflict.tsx";
import { type Kept, typedOver } from "../../parts/acts/unsaved-fields.ts";
import { type Draft, type Filter, filterDraftOf, filterOf, type Types } from "./draft.ts";

export type Segment = Response<V1["audienceSegments"]["get"]>;

/** A typed segment, grouped as the service saves it. */
export type Typed = { name: string; description: string; filter: Filter };
export type KeptSegment = Kept<Typed>;

export const typedOf = ({ name, description, filter }: Segment, types: Types): Typed => ({
  name,
  description: description ?? "",
  filter: filterDraftOf(filter, types),
});

export const formOf = ({ name, description, filter }: Typed): Draft => ({ name, description, ...filter });
export const typedIn = ({ name, description, match, conditions }: Draft): Typed => ({
  name,
  description,
  filter: { match, conditions },
});

/** Changes of a valid draft. */
export const changesIn = (stored: Segment, kept: KeptSegment, types: Types) => {
  const before = typedOf(stored, types);
  const { name, description, filter } = typedOver(before, kept);
  const isSameFilter = JSON.stringify(filter) === JSON.stringify(before.filter);
  return {
    ...(name.trim() === stored.name ? {} : { name: name.trim() }),
    ...(description.trim() === before.description ? {} : { description: description.trim() || null }),
    ...(isSameFilter ? {} : { filter: filterOf(filter, types) }),
  };
};

/** Texts saved by another person in these fields. */
export const theirsIn = ({ name, description, filter }: Segment, fields: readonly (keyof Typed)[]): Theirs[] => {
  const all = {
    name: { label: "Name", text: name },
    description: { label: "Description", text: description ?? "" },
    filter: { label: "Conditions", text: wordsOfConditions(filter) },
  };
  return fields.map((field) => all[field]);
};
