import { luminance, withLuminance } from "./color.ts";
import { literalOf, type Parts } from "./parts.ts";

/** Color uses. `flip` and `label` belong to a button that is dark in light mode. */
export type Use = "text" | "back" | "line" | "flip" | "label" | "icon";

// Limits of luminance follow from a contrast of 4.5:1 (WCAG 2, 1.4.3).
/** Maximum luminance of readable text on light backgrounds. */
const DARK_TEXT = 1.05 / 4.5 - 0.05;
/** Minimum background luminance for dark text. */
const LIGHT_BACK = 0.17;
/** Buttons up to this luminance would be invisible in dark mode. */
const LOST = 0.05;
const DARK_LABEL = 0.13;
/** Some webmail drops style sheets over 8 KB. */
const MAX_COLORS = 60;

/** Backgrounds below 0.05 give text over 0.4 a contrast of 4.5:1. */
const darkened = (color: string): string => withLuminance(color, 0.01 + (1 - luminance(color)) * 0.045);
/** Lines stay visible on a dark background. */
const dimmed = (color: string): string => withLuminance(color, 0.02 + (1 - luminance(color)) * 0.1);
/** Black text becomes 0.9, and the lightest dark text 0.42. */
const lightened = (color: string): string => withLuminance(color, 0.9 - luminance(color) * 2.623);

type Dark = {
  property: "color" | "background-color" | "border-color" | "filter";
  changes: (luminance: number) => boolean;
  to: (color: string) => string;
};

const USES: Readonly<Record<Use, Dark>> = {
  text: { property: "color", changes: (light) => light <= DARK_TEXT, to: lightened },
  back: { property: "background-color", changes: (light) => light > LIGHT_BACK, to: darkened },
  line: { property: "border-color", changes: (light) => light > LIGHT_BACK, to: dimmed },
  flip: { property: "background-color", changes: (light) => light <= LOST, to: lightened },
  label: { property: "color", changes: (light) => light > DARK_LABEL, to: darkened },
  icon: { property: "filter", changes: (light) => light <= LOST, to: () => "invert(1)" },
};

export const inDark = (use: Use, color: string): string => {
  const { changes, to } = USES[use];
  return changes(luminance(color)) ? to(color) : color;
};

/** True if dark mode must swap a button's background and label. */
export const isLost = (color: string): boolean => luminance(color) <= LOST;

/** Builds a `class` attribute that names colors for dark mode. Unchanged colors get none. */
export const classes = (colors: Partial<Record<Use, string | undefined>>, other = ""): string => {
  let names = other;
  for (const use in colors) {
    const color = colors[use as Use];
    if (color === undefined || !USES[use as Use].changes(luminance(color))) continue;
    names += `${names === "" ? "" : " "}${use}-${color.slice(1).toLowerCase()}`;
  }
  return names === "" ? "" : ` class="${names}"`;
};

const CLASS = ' class="';

const classesIn = (body: Parts): Set<string> => {
  const attributes = new Set<string>();
  for (const part of body) {
    const literal = literalOf(part);
    for (let at = literal.indexOf(CLASS); at !== -1; at = literal.indexOf(CLASS, at + 1)) {
      const start = at + CLASS.length;
      attributes.add(literal.slice(start, literal.indexOf('"', start)));
    }
  }
  return new Set([...attributes].flatMap((all) => all.split(" ")));
};

/**
 * Builds dark-mode rules from classes in a body, also for Outlook. Authors cannot add classes, because quotes are
 * escaped. Too many colors give no rules.
 */
export const darkRules = (body: Parts): string => {
  const rules = [...classesIn(body)].sort().flatMap((name) => {
    const [, use, color] = /^(text|back|line|flip|label|icon)-([0-9a-f]{6})$/.exec(name) ?? [];
    if (color === undefined) return [];
    const { property, to } = USES[use as Use];
    return [{ name, property, value: to(`#${color}`) }];
  });
  if (rules.length === 0 || rules.length > MAX_COLORS) return "";
  const written = (all: typeof rules, before: (property: Dark["property"]) => string): string =>
    all.map(({ name, property, value }) => `${before(property)}.${name}{${property}:${value}!important}`).join("");
  const outlook = written(
    // Outlook has no filters.
    rules.filter(({ property }) => property !== "filter"),
    (property) => (property === "background-color" ? "[data-ogsb] " : "[data-ogsc] "),
  );
  return `<style>@media (prefers-color-scheme:dark){${written(rules, () => "")}}</style>\n<style>${outlook}</style>\n`;
};
