type Type = "string" | "number" | "boolean" | "date";

/** Parses typed text. Invalid text is sent unchanged, so the service explains it. */
export const propertyValue = (type: Type, text: string): string | number | boolean => {
  const given = text.trim();
  if (type === "number" && given !== "" && Number.isFinite(Number(given))) return Number(given);
  if (type === "boolean" && /^(true|false)$/.test(given)) return given === "true";
  return text;
};

/** Properties with a value. Empty text means none. */
export const propertiesIn = (
  properties: readonly { name: string; type: Type }[],
  texts: Readonly<Record<string, string>>,
): Record<string, string | number | boolean> =>
  Object.fromEntries(
    properties.flatMap(({ name, type }) => {
      const text = texts[name] ?? "";
      return text.trim() === "" ? [] : [[name, propertyValue(type, text)]];
    }),
  );
