import type { ThemeStyles } from "./theme.ts";

/** A reusable LMX part. */
export type Component = { name: string; lmx: string };

/** Plain data, so that compiling stays pure. */
export type Library = {
  themes?: Readonly<Record<string, ThemeStyles>>;
  defaultThemeId?: string;
  components?: Readonly<Record<string, Component>>;
};

/** Reads only own keys, because ids come from documents. */
export const entry = <T>(all: Readonly<Record<string, T>> | undefined, id: string): T | undefined =>
  all !== undefined && Object.hasOwn(all, id) ? all[id] : undefined;
