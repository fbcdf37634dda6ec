import type { Refusal } from "../../../lib/contract/errors.ts";
import { MAX_SOURCE_BYTES } from "../../../lib/lmx/compile.ts";
import type { FieldProblem } from "../../../lib/lmx/message/compile-message.ts";

/** Place of a problem: "lmx:3:14", or the field alone for one line. */
export const listed = ({ field, line, column, code, message }: FieldProblem) => ({
  rule: code,
  path: field === "lmx" ? `lmx:${line}:${column}` : field,
  message,
});

/** Shows the first error and lists all. */
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

export const tooLarge = (lmx: string): Refusal | undefined =>
  new TextEncoder().encode(lmx).length > MAX_SOURCE_BYTES
    ? { code: "body_too_large", path: "lmx", message: `lmx: must be at most ${MAX_SOURCE_BYTES} bytes.` }
    : undefined;

/** Bytes of all fallbacks: source and compiled content share a row of 2 MB. */
const MAX_FALLBACKS = 100_000;

export const tooManyFallbacks = (fallbacks: object, field: string): Refusal | undefined =>
  new TextEncoder().encode(JSON.stringify(fallbacks)).length > MAX_FALLBACKS
    ? {
        code: "invalid_request",
        path: field,
        message: `${field}: all fallbacks must have at most ${MAX_FALLBACKS} bytes.`,
      }
    : undefined;
