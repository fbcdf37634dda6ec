/**
 * Splits a variable into secrets by spaces or `|`. Chosen secrets (`free`) may contain spaces, so several form a JSON
 * list.
 */
export const secretsIn = (value: string, free: boolean): string[] => {
  const text = value.trim();
  if (text.startsWith("[")) {
    try {
      const list: unknown = JSON.parse(text);
      if (Array.isArray(list)) return list.filter((item): item is string => typeof item === "string" && item !== "");
    } catch {
      // Not a JSON list: one secret that begins with a bracket.
    }
  }
  return (free ? [text] : text.split(/[\s|]+/)).filter(Boolean);
};
