import { html } from "hono/html";
import { type Json, resolve } from "./reference-schema.ts";

const FORMATS: Readonly<Record<string, string>> = {
  email: "ada@example.com",
  "date-time": "2026-11-30T12:00:00.000Z",
  uri: "https://example.com",
};

/** Returns a value of a schema: its example, else one that is made from its types. */
export const sampleOf = (document: Json, given: Json, example?: unknown, depth = 0): unknown => {
  if (example !== undefined) return example;
  const schema = resolve(document, given);
  const [own] = (schema.examples ?? []) as readonly unknown[];
  const choices = (schema.anyOf ?? schema.oneOf ?? []) as readonly Json[];
  const [first] = choices;
  if (schema.example !== undefined) return schema.example;
  if (own !== undefined) return own;
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (first) return sampleOf(document, first, undefined, depth);
  const [type] = [schema.type].flat();
  if (type === "array")
    return depth > 3 ? [] : [sampleOf(document, (schema.items ?? {}) as Json, undefined, depth + 1)];
  if (type === "object" || schema.properties !== undefined) {
    const properties = depth > 4 ? {} : ((schema.properties ?? {}) as Record<string, Json>);
    return Object.fromEntries(
      Object.entries(properties).map(([name, one]) => [name, sampleOf(document, one, undefined, depth + 1)]),
    );
  }
  if (type === "integer" || type === "number") return Math.max(1, Number(schema.minimum ?? 1));
  if (type === "boolean") return true;
  return type === "string" ? (FORMATS[String(schema.format)] ?? "text") : null;
};

/** A request as a command. The key is no argument, because other users of a machine read these. */
export const curlOf = (method: string, path: string, parameters: readonly Json[], body: unknown): string => {
  const query = parameters
    .filter((one) => one.in === "query" && one.example !== undefined)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`);
  const address = `$MAILSPAN_URL${path}${query.length === 0 ? "" : `?${query.join("&")}`}`;
  return [
    `printf 'Authorization: Bearer %s' "$MAILSPAN_API_KEY" | curl -H @-${method === "GET" ? "" : ` -X ${method}`}`,
    `  "${address}"`,
    ...(body === undefined
      ? []
      : ['  -H "Content-Type: application/json"', `  -d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`]),
  ].join(" \\\n");
};

/** Marks the names of JSON fields and the texts in code. */
export const codeOf = (text: string) =>
  html`${text.split(/("(?:[^"\\]|\\.)*"(?:\s*:)?)/).map((part, i) => {
    if (i % 2 === 0) return part;
    return part.endsWith(":")
      ? html`<span class="key">${part.slice(0, -1)}</span>:`
      : html`<span class="text">${part}</span>`;
  })}`;
