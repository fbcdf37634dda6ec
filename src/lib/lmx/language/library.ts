import type { ThemeStyles } from "./theme.ts";

/** A reusable part of documents, written in LMX. */
export type Component = { name: string; lmx: string };

/** What documents may use besides their own tags. Plain data, so that compiling stays a pure function. */
export type Library = {
  /** Themes by id. */
  themes?: Readonly<Record<string, ThemeStyles>>;
  /** The theme of documents that name none. */
  defaultThemeId?: string;
  /** Components by id. */
  components?: Readonly<Record<string, Component>>;
};

/** An entry of a library: only its own keys count, because ids come from documents. */
export const entry = <T>(all: Readonly<Record<string, T>> | undefined, id: string): T | undefined =>
  all !== undefined && Object.hasOwn(all, id) ? all[id] : undefined;
