import { luminance, withLuminance } from "./color.ts";
import { literalOf, type Parts } from "./parts.ts";

/** What a colour is used for. `flip` and `label`: background and text of a button that is dark in light mode. */
export type Use = "text" | "back" | "line" | "flip" | "label" | "icon";

// Limits of luminance. They follow from the contrast of readable text, 4.5:1 (WCAG 2, 1.4.3).
/** Readable text on white, and so on every light background, is at most this light. */
const DARK_TEXT = 1.05 / 4.5 - 0.05;
/** Dark text is readable on backgrounds above this only. */
const LIGHT_BACK = 0.17;
/** Buttons up to this would be lost on a dark background. */
const LOST = 0.05;
/** The label of such a button, once the button is light, is darker than this. */
const DARK_LABEL = 0.13;
/** Most colours of one document: style sheets over 8 KB are dropped by some webmail. */
const MAX_COLORS = 60;

/** Backgrounds become darker than 0.05, so that every text over 0.4 has a contrast of 4.5:1 on them. */
const darkened = (color: string): string => withLuminance(color, 0.01 + (1 - luminance(color)) * 0.045);
/** Lines stay visible on a darkened background. */
const dimmed = (color: string): string => withLuminance(color, 0.02 + (1 - luminance(color)) * 0.1);
/** Black text becomes 0.9, and the lightest dark text 0.42. */
const lightened = (color: string): string => withLuminance(color, 0.9 - luminance(color) * 2.623);

type Dark = {
  property: "color" | "background-color" | "border-color" | "filter";
  /** True for a colour of this luminance that dark mode changes. */
  changes: (luminance: number) => boolean;
  /** The value in dark mode. */
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

/** A colour of this use as dark mode shows it. */
export const inDark = (use: Use, color: string): string => {
  const { changes, to } = USES[use];
  return changes(luminance(color)) ? to(color) : color;
};

/** True for the background of a button that dark mode has to exchange with its label. */
export const isLost = (color: string): boolean => luminance(color) <= LOST;

/**
 * A `class` attribute for an element with these colours, and with another class before them. A class names its colour, so
 * that dark mode finds the element. A colour that dark mode does not change gets none.
 */
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

/** The classes of a drawn body. */
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
 * The rules for dark mode of a drawn body, for clients that ask for the reader's preference and for Outlook, which marks
 * what it recoloured. The classes in the body name their colours, so the body says which rules it needs. Authors cannot
 * write a class: a quote in their text is escaped. Empty for a body with more colours than a sheet may hold.
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
