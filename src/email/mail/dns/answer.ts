/** A question to the DNS. `host`: in lower case, without a dot at its end. */
export type Question = { type: "TXT" | "MX"; host: string };

/**
 * `found`: texts with their strings joined, or `10 mx.example.com`. `via`: the targets of the CNAME records that were followed.
 * `none`: there certainly is no such record. `failed`: whether there is one is not known; `reason` completes "it failed: …".
 */
export type Answer =
  | { status: "found"; values: readonly string[]; via: readonly string[] }
  | { status: "none"; via: readonly string[] }
  | { status: "failed"; reason: string };

/** Answers by `questionKey`. */
export type Answers = ReadonlyMap<string, Answer>;

export const questionKey = ({ type, host }: Question): string => `${type} ${host}`;

export type Resolve = (question: Question) => Promise<Answer>;
