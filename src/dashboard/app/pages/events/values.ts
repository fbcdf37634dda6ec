type Type = "string" | "number" | "boolean" | "date";

/** A typed text as the value of a property. What is no such value is sent as it is: the service says what is wrong with it. */
export const propertyValue = (type: Type, text: string): string | number | boolean => {
  const given = text.trim();
  if (type === "number" && given !== "" && Number.isFinite(Number(given))) return Number(given);
  if (type === "boolean" && /^(true|false)$/.test(given)) return given === "true";
  return text;
};

/** The properties of an event that were given. An empty text is none. */
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
