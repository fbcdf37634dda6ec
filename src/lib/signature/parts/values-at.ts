import type { SignedRequest, ValueLocation } from "../scheme.ts";

const jsonText = (raw: string, path: string): string | undefined => {
  try {
    const value = path
      .split(".")
      .reduce<unknown>(
        (from, key) => (from && typeof from === "object" && Object.hasOwn(from, key) ? from[key as never] : undefined),
        JSON.parse(raw),
      );
    return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
  } catch {
    return undefined;
  }
};

// Supabase separates signatures with ", ". Commas at the end are removed: no signature ends in one.
const split = (text: string, separator: string): string[] => {
  const entries: string[] = [];
  for (const part of text.split(separator === " " ? /\s+/ : separator)) {
    const trimmed = part.trim();
    const entry = trimmed.endsWith(",") ? trimmed.replace(/,+$/, "") : trimmed;
    if (entry !== "") entries.push(entry);
  }
  return entries;
};

export const valuesAt = (request: SignedRequest, location: ValueLocation): string[] => {
  if ("json" in location) return [jsonText(request.raw, location.json) ?? ""].filter(Boolean);
  if ("query" in location) return [queryOf(request.url).get(location.query) ?? ""].filter(Boolean);
  if ("form" in location) {
    const value = new URLSearchParams(request.raw).get(location.form) ?? "";
    return location.separator === undefined ? [value].filter(Boolean) : split(value, location.separator);
  }
  const value = request.headers.get(location.header) ?? "";
  if (location.separator === undefined) return [value].filter(Boolean);
  const entries = split(value, location.separator);
  if (location.slice) return entries.slice(...location.slice);
  const { name } = location;
  if (name === undefined) return entries;
  const start = `${name}=`;
  return entries.filter((entry) => entry.startsWith(start)).map((entry) => entry.slice(start.length));
};

export const queryOf = (url: string): URLSearchParams =>
  URL.canParse(url) ? new URL(url).searchParams : new URLSearchParams();

export const nameOf = (location: ValueLocation): { kind: "header" | "field" | "query parameter"; name: string } => {
  if ("header" in location) return { kind: "header", name: location.header };
  if ("query" in location) return { kind: "query parameter", name: location.query };
  return { kind: "field", name: "json" in location ? location.json : location.form };
};
