/** Permitted values. `{data.x}` is a variable only with `variables`. */
export type AttributeRule = (
  | { is: "color" }
  | { is: "number"; min: number; max: number; unit: "px" | "%" | ""; whole?: true }
  | { is: "choice"; of: readonly string[] }
  | { is: "link" }
  | { is: "image" }
  | { is: "text" }
  | { is: "font" }
  | { is: "widths" }
  | { is: "icon" }
  | { is: "condition" }
) & { variables?: true; required?: true };

/**
 * Permitted content: `inline` (text and inline tags), `text` (text and variables), `raw` (literal), `empty`, or named
 * tags.
 */
export type Content = "inline" | "text" | "raw" | "empty" | readonly string[];

export type TagRule = {
  content: Content;
  attributes: Readonly<Record<string, AttributeRule>>;
  children?: { min: number; max: number };
};

/** Parses `widths`; NaN for invalid parts. */
export const parseWidths = (value: string): number[] =>
  value.split(",").map((part) => (/^\s*\d+(?:\.\d+)?%?\s*$/.test(part) ? Number.parseFloat(part) : Number.NaN));
