/** The allowed values of an attribute. `{data.x}` is a variable only in attributes with `variables`. */
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
) & { variables?: true; required?: true };

/**
 * What may stand inside a tag: `inline` (text and inline tags), `text` (text and variables only), `raw` (literal
 * text), `empty` (nothing), or the named tags.
 */
export type Content = "inline" | "text" | "raw" | "empty" | readonly string[];

export type TagRule = {
  content: Content;
  attributes: Readonly<Record<string, AttributeRule>>;
  /** Allowed number of children. */
  children?: { min: number; max: number };
};

/** The numbers of a `widths` attribute; NaN for a part that is not a number. */
export const parseWidths = (value: string): number[] =>
  value.split(",").map((part) => (/^\s*\d+(?:\.\d+)?%?\s*$/.test(part) ? Number.parseFloat(part) : Number.NaN));
