import { isoOf, MINUTE_MS } from "../../lib/util/dates.ts";
import { readValue, saveValue } from "../../lib/util/kv.ts";
import { type Refused, UNKNOWN } from "../journal/refusals.ts";
import type { Problem } from "../model/problem.ts";

/** Refusals of a source since it accepted a webhook. `code`: of the newest that counts. Unix ms. */
export type Refusing = { since: number; last: number; count: number; code: string; proven: boolean };

/** Codes of requests that tried to be signed, or were: one of them opens the problem. */
const PROVEN: ReadonlySet<string> = new Set([
  "invalid_signature",
  "stale_timestamp",
  "invalid_json",
  "unexpected_body",
  "no_mail",
]);
/** Anyone sends such requests, so fewer than `MANY` open no problem. */
const ANYONE: ReadonlySet<string> = new Set([
  "missing_signature",
  "source_not_configured",
  "key_unavailable",
  "body_too_large",
]);
const MANY = 3;
/** Milliseconds before an alert. */
const LONG = 10 * MINUTE_MS;

const WORDS: Readonly<Record<string, string>> = {
  invalid_signature: "the signature is wrong",
  stale_timestamp: "the signature is too old",
  invalid_json: "the body cannot be read",
  unexpected_body: "the body is not what the provider documents",
  no_mail: "no rule sends the mail that it asks for",
  missing_signature: "there is no signature",
  source_not_configured: "the source has no secret",
  key_unavailable: "the provider's public keys cannot be fetched",
  body_too_large: "the body is too large",
};

/** Keeps which sources refuse webhooks, until they accept one. A row is written with a refusal, and at the end. */
export const createRefusing = (sql: SqlStorage) => {
  const open = new Map(Object.entries(readValue<Record<string, Refusing>>(sql, "refusing") ?? {}));
  const heardAt = new Map<string, number>();
  const save = (): void => saveValue(sql, "refusing", open.size === 0 ? undefined : Object.fromEntries(open));
  const isShown = ({ proven, count }: Refusing): boolean => proven || count >= MANY;

  const add = ({ source, code, count, minute, at = minute * MINUTE_MS }: Refused): boolean => {
    const proven = PROVEN.has(code);
    if (source === UNKNOWN || (!proven && !ANYONE.has(code)) || at <= (heardAt.get(source) ?? 0)) return false;
    const known = open.get(source) ?? { since: at, last: at, count: 0, code, proven };
    open.set(source, {
      since: Math.min(known.since, at),
      last: Math.max(known.last, at),
      count: known.count + count,
      code: proven || !known.proven ? code : known.code,
      proven: known.proven || proven,
    });
    return true;
  };
  return {
    refused: (refused: readonly Refused[]): void => {
      if (refused.map(add).some(Boolean)) save();
    },
    /** Ends the problem of a source that accepted a webhook. Returns true if there was one. */
    heard: (source: string, now: number): boolean => {
      heardAt.set(source, now);
      const known = open.delete(source);
      if (known) save();
      return known;
    },
    /** Deletes what was refused before a time (Unix ms) and is no longer kept as counts. Returns the sources. */
    purge: (before: number): string[] => {
      const old = [...open].flatMap(([source, { last }]) => (last < before ? [source] : []));
      for (const source of old) open.delete(source);
      if (old.length > 0) save();
      return old;
    },
    problems: (): (Problem & { source: string; count: number; isLong: boolean })[] =>
      [...open].flatMap(([source, one]) => {
        if (!isShown(one)) return [];
        const { since, last, count, code } = one;
        const many = count === 1 ? "a webhook" : `${count} webhooks`;
        const message = `refusing: ${source} has refused ${many} since ${isoOf(since).slice(0, 16).replace("T", " ")} UTC and accepted none: ${WORDS[code]}`;
        const isLong = count >= MANY && last - since >= LONG;
        return [{ kind: "refusing", source, cause: code, message, count, since, last, isLong }];
      }),
  };
};
