export const MONOSPACE = "Menlo, Consolas, 'Courier New', monospace";

/** Joins CSS declarations; omits empty values. */
export const css = (declarations: Readonly<Record<string, string | undefined>>): string => {
  // A loop is faster for large mails.
  let style = "";
  for (const property in declarations) {
    const value = declarations[property];
    if (value !== undefined && value !== "") style += `${property}:${value};`;
  }
  return style;
};

/** Formats px; undefined for 0, which `css` omits. */
export const px = (value: number): string | undefined => (value === 0 ? undefined : `${value}px`);
