export const MONOSPACE = "Menlo, Consolas, 'Courier New', monospace";

/** Inline declarations for a `style` attribute, in the order given; what is empty or undefined is left out. */
export const css = (declarations: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(declarations)
    .map(([property, value]) => (value === undefined || value === "" ? "" : `${property}:${value};`))
    .join("");

/** A length; undefined for none, so that `css` leaves it out. */
export const px = (value: number): string | undefined => (value === 0 ? undefined : `${value}px`);
