import type { Refusal } from "../../../lib/contract/errors.ts";
import { MAX_SOURCE_BYTES } from "../../../lib/lmx/compile.ts";
import type { FieldProblem } from "../../../lib/lmx/message/compile-message.ts";

/** A problem with its place: "lmx:3:14", or the field alone where it is one line. */
export const listed = ({ field, line, column, code, message }: FieldProblem) => ({
  rule: code,
  path: field === "lmx" ? `lmx:${line}:${column}` : field,
  message,
});

/** The refusal of content with errors. It shows the first one and lists all. */
export const invalidContent = (errors: readonly FieldProblem[]): Refusal => {
  const all = errors.map(listed);
  const more = all.length > 1 ? ` (${all.length - 1} more in errors)` : "";
  return {
    code: "invalid_content",
    path: errors[0]?.field ?? "lmx",
    message: `${all[0]?.path}: ${all[0]?.message}${more}`,
    detail: { errors: all },
  };
};

/** The refusal of a document that is too large. */
export const tooLarge = (lmx: string): Refusal | undefined =>
  new TextEncoder().encode(lmx).length > MAX_SOURCE_BYTES
    ? { code: "body_too_large", path: "lmx", message: `lmx: must be at most ${MAX_SOURCE_BYTES} bytes.` }
    : undefined;

/** Most bytes of all fallbacks of a message. Source and compiled content share a row, which may have 2 MB. */
const MAX_FALLBACKS = 100_000;

/** The refusal of too many fallbacks. `field`: the one that the request changes. */
export const tooManyFallbacks = (fallbacks: object, field: string): Refusal | undefined =>
  new TextEncoder().encode(JSON.stringify(fallbacks)).length > MAX_FALLBACKS
    ? {
        code: "invalid_request",
        path: field,
        message: `${field}: all fallbacks must have at most ${MAX_FALLBACKS} bytes.`,
      }
    : undefined;
