import { entry, type Library } from "../language/library.ts";
import { defaultTheme, layered, type Theme, type ThemeStyles, themeAttributes } from "../language/theme.ts";
import { decode } from "../parse/entities.ts";
import { type ElementNode, isElement, type MarkupNode } from "../parse/tree.ts";
import { error, excerpt, type Problem } from "../problem.ts";
import { expected } from "./attributes.ts";

export type ThemeFault = { key: string; message: string };

export const themeFaults = (styles: Readonly<Record<string, unknown>>): ThemeFault[] =>
  Object.entries(styles).flatMap(([key, value]) => {
    const rule = Object.hasOwn(themeAttributes, key) ? themeAttributes[key] : undefined;
    if (rule === undefined) return [{ key, message: `A theme has no style ${excerpt(key)}: remove it` }];
    const kind = typeof defaultTheme[key as keyof Theme];
    const wanted = typeof value === kind ? expected(String(value), rule) : `a ${kind}`;
    return wanted === undefined ? [] : [{ key, message: `${key} is ${excerpt(String(value))}: give ${wanted}` }];
  });

const attributesOf = (style: ElementNode | undefined): Record<string, string> =>
  Object.fromEntries((style?.attributes ?? []).map(({ name, raw }) => [name, decode(raw.trim())]));

/**
 * Merges a document's `Style` over its theme and defaults. `themes` lists used ids. Errors: `unknown_theme`,
 * `bad_theme`.
 */
export const styleOf = (
  nodes: readonly MarkupNode[],
  library: Library,
): { theme: Theme; themes: string[]; problems: Problem[] } => {
  const style = nodes.filter(isElement).find(({ tag }) => tag === "Style");
  const { themeId: named, ...own } = attributesOf(style);
  const id = named ?? library.defaultThemeId;
  if (id === undefined) return { theme: layered(own), themes: [], problems: [] };
  const at = style?.attributes.find(({ name }) => name === "themeId")?.value ?? { line: 1, column: 1 };
  const styles: ThemeStyles | undefined = entry(library.themes, id);
  if (styles === undefined) {
    const message = `There is no theme ${excerpt(id)}: create it, or correct the id`;
    return { theme: layered(own), themes: [], problems: [error(at, "unknown_theme", message)] };
  }
  const problems = themeFaults(styles).map(({ message }) =>
    error(at, "bad_theme", `In the theme ${excerpt(id)}, ${message}`),
  );
  return { theme: layered(styles as Record<string, string | number>, own), themes: [id], problems };
};
