import type { Place, SignedRequest } from "../scheme.ts";

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
const split = (text: string, separator: string): string[] =>
  text
    .split(separator === " " ? /\s+/ : separator)
    .map((entry) => entry.trim().replace(/,+$/, ""))
    .filter(Boolean);

export const valuesAt = (request: SignedRequest, place: Place): string[] => {
  if ("json" in place) return [jsonText(request.raw, place.json) ?? ""].filter(Boolean);
  if ("query" in place) return [queryOf(request.url).get(place.query) ?? ""].filter(Boolean);
  if ("form" in place) {
    const value = new URLSearchParams(request.raw).get(place.form) ?? "";
    return place.separator === undefined ? [value].filter(Boolean) : split(value, place.separator);
  }
  const value = request.headers.get(place.header) ?? "";
  if (place.separator === undefined) return [value].filter(Boolean);
  const entries = split(value, place.separator);
  if (place.slice) return entries.slice(...place.slice);
  const { name } = place;
  if (name === undefined) return entries;
  return entries.flatMap((entry) => (entry.startsWith(`${name}=`) ? [entry.slice(name.length + 1)] : []));
};

export const queryOf = (url: string): URLSearchParams =>
  URL.canParse(url) ? new URL(url).searchParams : new URLSearchParams();

export const nameOf = (place: Place): { kind: "header" | "field" | "query parameter"; name: string } => {
  if ("header" in place) return { kind: "header", name: place.header };
  if ("query" in place) return { kind: "query parameter", name: place.query };
  return { kind: "field", name: "json" in place ? place.json : place.form };
};
