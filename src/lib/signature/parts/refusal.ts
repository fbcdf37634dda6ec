import type { SignatureRefusal } from "../scheme.ts";

export const refuse = (code: SignatureRefusal["code"], message: string): SignatureRefusal => ({ code, message });

/** No secret at all, or none of the form that is expected. `given`: how many there are. */
export const notConfigured = (given: number, form: string): SignatureRefusal =>
  refuse(
    "source_not_configured",
    given === 0 ? "No signing secret is configured." : `No configured signing secret can be used: expected ${form}.`,
  );

/** `what`: names of headers, or of other places as a person would look for them. */
export const missing = (what: readonly string[], kind = "header"): SignatureRefusal =>
  refuse(
    "missing_signature",
    what.length === 1 ? `The ${kind} ${what[0]} is missing.` : `The ${kind}s ${what.join(", ")} are missing.`,
  );

export const mismatch = (): SignatureRefusal =>
  refuse(
    "invalid_signature",
    "The signature does not match the body. Check that the signing secret is this endpoint's own and that nothing between changes the body.",
  );

/** `age` and `tolerance` in seconds; a negative age is in the future. */
export const stale = (age: number, tolerance: number): SignatureRefusal =>
  refuse(
    "stale_timestamp",
    `The signature is good, but it was made ${Math.abs(age)} s ${age > 0 ? "ago" : "in the future"}; ${tolerance} s are allowed. Check both clocks; a replayed request is refused too.`,
  );

/** The keys to check with could not be fetched: the provider has to come again. */
export const unavailable = (url: string): SignatureRefusal =>
  refuse("key_unavailable", `The keys at ${url} cannot be fetched now. Send the webhook again.`);
