import type { SignatureRefusal } from "../scheme.ts";

export const refuse = (code: SignatureRefusal["code"], message: string): SignatureRefusal => ({ code, message });

export const notConfigured = (given: number, form: string): SignatureRefusal =>
  refuse(
    "source_not_configured",
    given === 0 ? "No signing secret is configured." : `No configured signing secret can be used: expected ${form}.`,
  );

export const missing = (what: readonly string[], kind = "header"): SignatureRefusal =>
  refuse(
    "missing_signature",
    what.length === 1 ? `The ${kind} ${what[0]} is missing.` : `The ${kind}s ${what.join(", ")} are missing.`,
  );

export const mismatch = (): SignatureRefusal =>
  refuse(
    "invalid_signature",
    "The signature does not match the body. Check that the signing secret belongs to this endpoint and that no proxy changes the body.",
  );

/** `age` and `tolerance` in seconds; a negative age is in the future. */
export const stale = (age: number, tolerance: number): SignatureRefusal =>
  refuse(
    "stale_timestamp",
    `The signature is valid, but its time is ${Math.abs(age)} s in the ${age > 0 ? "past" : "future"}; ${tolerance} s are allowed. The clocks differ, or the request is a replay.`,
  );

/** The public keys cannot be fetched. The provider should retry. */
export const unavailable = (url: string): SignatureRefusal =>
  refuse("key_unavailable", `The public keys at ${url} cannot be fetched now. Send the webhook again later.`);
