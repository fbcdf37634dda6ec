type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/**
 * Writes one JSON line. Never pass a body, a secret or an API key. As a second safeguard, email addresses are replaced,
 * and in `error` also everything in quotes, because parsers quote the text they fail on.
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

/** The text with every email address replaced. */
const withoutPeople = (text: string): string =>
  text.includes("@") ? text.replaceAll(/[^\s"'<>()[\]{},;:=]+@[^\s"'<>()[\]{},;:=]+/g, "[address]") : text;
