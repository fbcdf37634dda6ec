import { readText } from "./body.ts";
import type { Refusal } from "./errors.ts";

export type Fields = { value: Record<string, unknown> } | { refusal: Refusal };

const refuse = (code: "unsupported_media_type" | "body_too_large" | "invalid_json", message: string) => ({
  refusal: { code, message },
});

/**
 * Reads a JSON object of at most `limit` bytes. Accepts a missing or `text/plain` Content-Type: published clients
 * send that.
 *
 * @param mayBeEmpty accepts an empty body, and `[]`, which PHP writes for an empty map
 */
export const readJson = async (request: Request, limit: number, mayBeEmpty = false): Promise<Fields> => {
  const unsupported = unsupportedIn(request.headers);
  if (unsupported !== undefined && !mayBeEmpty) return refuse("unsupported_media_type", unsupported);
  try {
    const text = await readText(request, limit, true);
    if (text === undefined) return refuse("body_too_large", `The body is larger than ${limit} bytes.`);
    // JSON has no byte order mark, but some clients send one (RFC 8259 section 8.1).
    const json = text.startsWith("\ufeff") ? text.slice(1) : text;
    if (mayBeEmpty && (json === "" || json === "[]")) return { value: {} };
    if (unsupported !== undefined) return refuse("unsupported_media_type", unsupported);
    const value: unknown = JSON.parse(json);
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return refuse("invalid_json", "The body must be a JSON object.");
    }
    const fields = value as Record<string, unknown>;
    const refusal = unusableName(fields) ?? (HALF_PAIR.test(json) ? illFormed(fields) : undefined);
    return refusal ? { refusal } : { value: fields };
  } catch (error) {
    // Decoding throws a TypeError, parsing a SyntaxError.
    if (error instanceof TypeError) return refuse("invalid_json", "The body is not valid UTF-8.");
    return refuse("invalid_json", `The body is not valid JSON: ${(error as Error).message}`);
  }
};

const unsupportedIn = (headers: Headers): string | undefined => {
  const encoding = headers.get("Content-Encoding")?.trim() || "identity";
  if (!/^identity$/i.test(encoding)) {
    return `The body is sent with Content-Encoding: ${encoding}. Send it without an encoding.`;
  }
  const type = headers.get("Content-Type")?.trim() || "application/json";
  if (!/^(application\/(json|[\w.+-]+\+json)|text\/(plain|json))\s*(;|$)/i.test(type)) {
    return `The body is sent as ${type}. Send JSON, with Content-Type: application/json.`;
  }
  const [, charset] = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(type) ?? [];
  if (!charset || /^utf-?8$/i.test(charset)) return undefined;
  return `The body is sent in the charset ${charset}. Send it in UTF-8.`;
};

/** Refuses a key "__proto__" up to one level deep: the schemas would drop it, and report success. */
const unusableName = (value: Record<string, unknown>): Refusal | undefined => {
  const within = Object.entries(value).find(
    ([, part]) => typeof part === "object" && part !== null && Object.hasOwn(part, "__proto__"),
  );
  const path = Object.hasOwn(value, "__proto__") ? "__proto__" : within && `${within[0]}.__proto__`;
  if (path === undefined) return undefined;
  return { code: "invalid_request", path, message: `${path}: __proto__ is not a name that can be used.` };
};

const HALF_PAIR = /\\ud[89a-f]/i;

/** Refuses half of a surrogate pair, because most JSON readers refuse it. */
const illFormed = (fields: Record<string, unknown>): Refusal | undefined => {
  // A list instead of recursion: a body may be nested deeper than the call stack.
  const open: [path: string, value: unknown][] = [["", fields]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [path, value] = next;
    if (!path.isWellFormed() || (typeof value === "string" && !value.isWellFormed())) {
      const shown = path.toWellFormed();
      const message = `${shown}: must be well-formed Unicode text; it has half of a surrogate pair.`;
      return { code: "invalid_request", path: shown, message };
    }
    if (typeof value !== "object" || value === null) continue;
    for (const [name, part] of Object.entries(value)) open.push([path === "" ? name : `${path}.${name}`, part]);
  }
  return undefined;
};
