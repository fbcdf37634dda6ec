type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/**
 * Writes one JSON line. Never pass a body, secret or API key. Replaces email addresses, and quoted text in `error`.
 */
export const log = (event: string, fields: Fields = {}): void => {
  const shown: Record<string, Fields[string]> = { event };
  for (const name in fields) {
    const value = fields[name];
    shown[name] =
      typeof value === "string" ? withoutPeople(name === "error" ? value.replace(/".*"/s, '"…"') : value) : value;
  }
  console.log(JSON.stringify(shown));
};

const withoutPeople = (text: string): string =>
  text.includes("@") ? text.replaceAll(/[^\s"'<>()[\]{},;:=]+@[^\s"'<>()[\]{},;:=]+/g, "[address]") : text;
