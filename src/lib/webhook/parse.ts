/** The fields of a form by name; a repeated field is a list. */
const form = (raw: string): Record<string, string | string[]> => {
  const fields = new URLSearchParams(raw);
  return Object.fromEntries(
    [...new Set(fields.keys())].map((name) => {
      const values = fields.getAll(name);
      return [name, values.length > 1 ? values : (values[0] ?? "")];
    }),
  );
};

const json = (raw: string): unknown => {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
};

/** One JSON value, or a list of values: one per line. */
const lines = (raw: string): unknown => {
  const whole = json(raw);
  if (whole !== undefined) return whole;
  const parsed = raw.split(/\r?\n/).flatMap((line) => (line.trim() ? [json(line)] : []));
  return parsed.length > 0 && !parsed.includes(undefined) ? parsed : undefined;
};

/** The claims of a JSON Web Token. Its signature was verified before. */
const token = (raw: string): unknown => {
  const body = (raw.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
  try {
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(body), (char) => char.charCodeAt(0))));
  } catch {
    return undefined;
  }
};

/** Parses a body; undefined where it does not have the format. Never throws. */
export const parse = (
  raw: string,
  format: "json" | "form" | "json or form" | "json lines" | "token" = "json",
): unknown => {
  if (format === "form") return form(raw);
  if (format === "json lines") return lines(raw);
  if (format === "token") return token(raw);
  if (format === "json or form" && !/^\s*[{[]/.test(raw)) return form(raw);
  return json(raw);
};
