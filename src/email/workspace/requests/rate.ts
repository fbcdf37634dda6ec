import type { Refusal } from "../../../lib/contract/errors.ts";
import { CONTENT_WINDOW, type Operation } from "../../../lib/contract/operation.ts";
import { admit, type Window } from "../../../lib/util/sliding-window.ts";
import type { Context } from "../core/context.ts";

type NamedWindow = Window & { name: string; of: "team" | "operator" };

const ALL: NamedWindow = { name: "all", of: "team", limit: 10, windowMs: 1_000 };
const CONTENT: NamedWindow = { name: "content", of: "team", ...CONTENT_WINDOW };

/** A person who looks at a team uses nothing of its API limit. */
export const OPERATOR: readonly NamedWindow[] = [{ name: "operator", of: "operator", limit: 50, windowMs: 1_000 }];

export const windowsOf = (window: Operation["window"]): readonly NamedWindow[] =>
  window === "content" ? [ALL, CONTENT] : [ALL];

/** Counts or refuses a request and returns the headers. */
export const countRequest = (
  { sql, now }: Pick<Context, "sql" | "now">,
  windows: readonly NamedWindow[],
): { headers: Record<string, string>; refusal?: Refusal } => {
  const stored = windows.map(({ name }) => readHits(sql, name));
  const verdict = admit(
    windows.map((window, i) => ({ ...window, hits: JSON.parse(stored[i] ?? "[]") as number[] })),
    now,
  );
  windows.forEach(({ name }, i) => {
    const hits = JSON.stringify(verdict.hits[i]);
    // A refused request is written only if the clock has stepped back. Otherwise the wait would never end.
    if (verdict.ok || verdict.hits[i]?.includes(now))
      sql.exec("INSERT OR REPLACE INTO rate (name, hits) VALUES (?, ?)", name, hits);
  });
  const headers = { "x-ratelimit-limit": `${verdict.limit}`, "x-ratelimit-remaining": `${verdict.remaining}` };
  if (verdict.ok) return { headers };
  const message = `The ${windows[0]?.of}'s limit of ${verdict.limit} requests is reached. Try again in ${verdict.wait} ms.`;
  return {
    headers: {
      ...headers,
      "Retry-After": `${Math.ceil(verdict.wait / 1000)}`,
      "x-ratelimit-reset": `${verdict.wait}`,
    },
    refusal: { code: "rate_limited", message },
  };
};

const readHits = (sql: SqlStorage, name: string): string | undefined =>
  sql.exec<{ hits: string }>("SELECT hits FROM rate WHERE name = ?", name).toArray()[0]?.hits;
