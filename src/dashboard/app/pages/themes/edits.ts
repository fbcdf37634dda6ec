import type { Response } from "../../../../lib/contract/operation.ts";
import type { V1 } from "../../../../lib/contract/v1.ts";
import { defaultTheme } from "../../../../lib/lmx/language/theme.ts";
import type { Theirs } from "../../parts/acts/conflict.tsx";
import type { Kept } from "../../parts/acts/unsaved-fields.ts";
import { STYLE_GROUPS, type StyleDraft, type StyleName, shownStyle } from "./styles.ts";

export type Theme = Response<V1["themes"]["get"]>;

/** A typed theme: name and values as text. */
export type Typed = { name: string } & Record<StyleName, string>;
export type KeptTheme = Kept<Typed>;

/** Converts a stored theme for editing. */
export const typedOf = ({ name, styles }: Theme): Typed => ({
  name,
  ...(Object.fromEntries(
    (Object.keys(defaultTheme) as StyleName[]).map((style) => [style, shownStyle(styles, {}, style)]),
  ) as Record<StyleName, string>),
});

export const typedStyles = ({ name: _, ...styles }: KeptTheme): StyleDraft =>
  Object.fromEntries(Object.entries(styles).map(([style, one]) => [style, one.now]));

const LABELS = new Map(STYLE_GROUPS.flatMap(({ fields }) => fields.map(({ name, label }) => [name, label] as const)));

/** Values saved by another person in these fields. */
export const theirsIn = (theme: Theme, fields: readonly (keyof Typed)[]): Theirs[] => {
  const typed = typedOf(theme);
  return fields.map((field) => ({
    label: field === "name" ? "Name" : (LABELS.get(field) ?? field),
    text: typed[field],
  }));
};
