type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/**
 * Writes one JSON line. Never pass a body, a secret or an API key. As a second line of defence, addresses in what is
 * passed are left out, and of `error` also what stands in quotes: a parser quotes what it stumbled over.
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

/** A text with every address of a person replaced. */
const withoutPeople = (text: string): string =>
  text.includes("@") ? text.replaceAll(/[^\s"'<>()[\]{},;:=]+@[^\s"'<>()[\]{},;:=]+/g, "[address]") : text;
