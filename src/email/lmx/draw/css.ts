export const MONOSPACE = "Menlo, Consolas, 'Courier New', monospace";

/** Declarations for a `style` attribute, in the given order. Empty and undefined values are left out. */
export const css = (declarations: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(declarations)
    .map(([property, value]) => (value === undefined || value === "" ? "" : `${property}:${value};`))
    .join("");

/** A length; undefined for 0, so that `css` leaves it out. */
export const px = (value: number): string | undefined => (value === 0 ? undefined : `${value}px`);
