/** A DNS question. `host` is in lower case, without a final dot. */
export type Question = { type: "TXT" | "MX" | "A" | "AAAA"; host: string };

/**
 * `found`: joined TXT strings, `10 mx.example.com`, or IP addresses. `via`: followed CNAME targets. `none`: no record. `failed`:
 * unknown; `reason` completes "it failed: …".
 */
export type Answer =
  | { status: "found"; values: readonly string[]; via: readonly string[] }
  | { status: "none"; via: readonly string[] }
  | { status: "failed"; reason: string };

/** Answers by `questionKey`. */
export type Answers = ReadonlyMap<string, Answer>;

export const questionKey = ({ type, host }: Question): string => `${type} ${host}`;

export type Resolve = (question: Question) => Promise<Answer>;
