export const MONOSPACE = "Menlo, Consolas, 'Courier New', monospace";

/** Declarations for a `style` attribute, in the given order. Empty and undefined values are left out. */
export const css = (declarations: Readonly<Record<string, string | undefined>>): string => {
  // A loop: one call per block of a large mail has to stay cheap.
  let style = "";
  for (const property in declarations) {
    const value = declarations[property];
    if (value !== undefined && value !== "") style += `${property}:${value};`;
  }
  return style;
};

/** A length; undefined for 0, so that `css` leaves it out. */
export const px = (value: number): string | undefined => (value === 0 ? undefined : `${value}px`);
