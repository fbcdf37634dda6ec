import { readText } from "../../lib/contract/body.ts";
import { isObject } from "../../lib/util/json.ts";
import { closest } from "../../lib/util/nearest.ts";
import type { Filter, Wanted } from "../../outbox/operator/search.ts";
import { duration } from "../../rules/values/duration.ts";
import { refuse } from "../errors.ts";

/** Reads one parameter. Throws an Error that says what it has to be: `has to be …`. */
type Reader<T> = (given: unknown, now: number) => T;
type Readers = Readonly<Record<string, Reader<unknown>>>;
type Read<R extends Readers> = { [K in keyof R]?: ReturnType<R[K]> };

/** Largest body of a request of the admin API in bytes, where it is not said. */
const MAX_BODY = 20_000;

const text =
  (most: number): Reader<string> =>
  (given) => {
    const value = typeof given === "string" ? given.trim() : "";
    if (value === "" || value.length > most) throw new Error(`has to be a text of 1 to ${most} characters`);
    return value;
  };

const email: Reader<string> = (given) => {
  const value = typeof given === "string" ? given.trim() : "";
  if (!/^[^\s@]+@[^\s@]+$/.test(value) || value.length > 320) throw new Error("has to be an email address");
  return value;
};

/** One of some words, or several: a list, or with commas between. */
const some =
  <T extends string>(words: readonly T[]): Reader<T[]> =>
  (given) => {
    const list = Array.isArray(given) ? given : typeof given === "string" ? given.split(",") : [];
    const known = list.map((word) => words.find((one) => one === String(word).trim()));
    if (known.length === 0 || known.includes(undefined))
      throw new Error(`has to be one or more of ${words.join(", ")}`);
    return known as T[];
  };

const oneOf =
  <T extends string>(words: readonly T[]): Reader<T> =>
  (given) => {
    const known = words.find((word) => word === given);
    if (known === undefined) throw new Error(`has to be one of ${words.join(", ")}`);
    return known;
  };

/** A time: ISO 8601, or how long ago ("7d", "12h", "30m"). */
const time: Reader<number> = (given, now) => {
  const value = typeof given === "string" ? given.trim() : "";
  if (/^\d+[smhd]$/.test(value)) return now - duration(value);
  const at = /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at)) throw new Error('has to be a time as "2026-01-31T12:00:00Z" or how long ago, as "7d"');
  return at;
};

const limit: Reader<number> = (given) => {
  const value = typeof given === "number" ? given : /^\d{1,4}$/.test(String(given)) ? Number(given) : Number.NaN;
  if (!Number.isInteger(value) || value < 1 || value > 100) throw new Error("has to be a whole number from 1 to 100");
  return value;
};

export const cursor: Reader<number> = (given) => {
  const value = typeof given === "string" && /^[0-9a-z]{1,11}$/.test(given) ? Number.parseInt(given, 36) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw new Error("has to be the `next` of an earlier answer");
  return value;
};

/** `next` of an answer: where the search goes on. */
export const cursorOf = (next: number | undefined): string | null => next?.toString(36) ?? null;

export const flag: Reader<boolean> = (given) => {
  if (given === true || given === "1" || given === "true") return true;
  if (given === false || given === "0" || given === "false") return false;
  throw new Error("has to be true or false");
};

const actionNames = ["contact", "event", "transactional", "delete"] as const;
export const actions = some(actionNames);

const states: readonly Wanted[] = [
  ...(["waiting", "sending", "done", "superseded", "skipped", "dead", "parked"] as const),
  "attention",
];

export const whoReaders = { email, userId: text(500), ref: text(500) };
export const placeReaders = { source: text(100), type: text(200), since: time, until: time };
export const searchReaders = {
  ...{ ...whoReaders, ...placeReaders },
  ...{ state: some(states), rule: text(500), action: oneOf(actionNames) },
};
export const pageReaders = { limit, cursor };

/** Reads what was given, each by its reader; or says which parameter is wrong, and what it has to be. */
const read = <R extends Readers>(given: Iterable<[string, unknown]>, readers: R, now: number): Read<R> | Response => {
  const values: Record<string, unknown> = {};
  for (const [name, value] of given) {
    const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (!reader) {
      const names = Object.keys(readers);
      const like = closest(name, names);
      const known = names.length > 0 ? `Known: ${names.join(", ")}.` : "There are none here.";
      const meant = like === undefined ? known : `Did you mean ${like}? ${known}`;
      return refuse("invalid_parameter", `There is no parameter "${name.slice(0, 50)}". ${meant}`);
    }
    if (Object.hasOwn(values, name)) return refuse("invalid_parameter", `${name} is given more than once.`);
    try {
      values[name] = reader(value, now);
    } catch (error) {
      return refuse("invalid_parameter", `${name} ${(error as Error).message}.`);
    }
  }
  const { since, until } = values as { since?: number; until?: number };
  if (since !== undefined && until !== undefined && since >= until)
    return refuse("invalid_parameter", "since has to be before until.");
  return values as Read<R>;
};

/** Parameters of the address. */
export const query = <R extends Readers>(request: Request, readers: R, now: number): Read<R> | Response =>
  read(new URL(request.url).searchParams, readers, now);

/** Parameters of a JSON body; no body is an empty one. None may stand in the address. */
export const body = async <R extends Readers>(
  request: Request,
  readers: R,
  now: number,
  most = MAX_BODY,
): Promise<Read<R> | Response> => {
  const misplaced = query(request, {}, now);
  if (misplaced instanceof Response) return misplaced;
  const raw = await readText(request, most);
  if (raw === undefined) return refuse("body_too_large", `The body is larger than ${most} bytes.`);
  let json: unknown;
  try {
    json = raw.trim() === "" ? {} : JSON.parse(raw);
  } catch {
    return refuse("invalid_json", "The body is not valid JSON.");
  }
  if (!isObject(json)) return refuse("invalid_json", "The body has to be a JSON object.");
  return read(Object.entries(json), readers, now);
};

/** The filter in what was read. */
export const filterOf = (given: Read<typeof searchReaders>): Filter => {
  const { email, userId, ref, state, ...rest } = given;
  const who = whoOf({ ...(email && { email }), ...(userId && { userId }), ...(ref && { ref }) });
  const { source, type, since, until, rule, action } = rest;
  return {
    ...(who ? { who } : {}),
    ...(state === undefined ? {} : { states: state }),
    ...(source === undefined ? {} : { source }),
    ...(type === undefined ? {} : { type }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(rule === undefined ? {} : { rule }),
    ...(action === undefined ? {} : { action }),
  };
};

const whoOf = (who: NonNullable<Filter["who"]>): Filter["who"] => (Object.keys(who).length > 0 ? who : undefined);
