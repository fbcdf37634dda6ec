import * as z from "zod";
import { readText } from "../../lib/contract/body.ts";
import { isObject } from "../../lib/util/json.ts";
import { closest } from "../../lib/util/nearest.ts";
import type { Filter, SearchState } from "../../outbox/operator/search.ts";
import { duration } from "../../rules/values/duration.ts";
import { refuse } from "../errors.ts";

/**
 * The parameters of a request by name. All are optional; a route checks by itself which ones it requires. The description
 * of a schema completes the error message: `limit must be a whole number from 1 to 100.`
 */
type Fields = Readonly<Record<string, z.ZodType>>;
type Given<F extends Fields> = { [Name in keyof F]?: z.output<F[Name]> };

/** Largest body of an admin request in bytes, unless the route says otherwise. */
const MAX_BODY = 20_000;

const text = (max: number) => z.string().trim().min(1).max(max).describe(`a text of 1 to ${max} characters`);

const email = z
  .string()
  .trim()
  .max(320)
  .regex(/^[^\s@]+@[^\s@]+$/)
  .describe("an email address");

/** One or several words: a JSON list, or a text with commas between the words. */
const someOf = <const T extends string>(words: readonly T[]) =>
  z
    .preprocess(
      (given) => (typeof given === "string" ? given.split(",").map((word) => word.trim()) : given),
      z.array(z.enum(words)).min(1),
    )
    .describe(`one or more of ${words.join(", ")}`);

/** ISO 8601, or how long ago ("7d", "12h", "30m"). Becomes Unix ms. */
const time = z
  .union([
    z
      .string()
      .trim()
      .regex(/^(?=.*[1-9])\d{1,6}[smhd]$/)
      .transform((given) => Date.now() - duration(given)),
    z
      .string()
      .trim()
      .regex(/^\d{4}-\d\d-\d\d/)
      .transform((given) => Date.parse(given))
      .pipe(z.number()),
  ])
  .describe('a time such as "2026-01-31T12:00:00Z", or how long ago, such as "7d"');

const limit = z
  .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
  .pipe(z.int().min(1).max(100))
  .describe("a whole number from 1 to 100");

/** The `next` of an earlier answer: a number in base 36. */
export const cursor = z
  .string()
  .regex(/^[0-9a-z]{1,11}$/)
  .transform((given) => Number.parseInt(given, 36))
  .pipe(z.int())
  .describe("the `next` of an earlier answer");

/** The `next` of an answer: where the search continues. */
export const cursorOf = (next: number | undefined): string | null => next?.toString(36) ?? null;

export const flag = z
  .literal([true, false, "1", "0", "true", "false"])
  .transform((given) => given === true || given === "1" || given === "true")
  .describe("true or false");

const actionNames = ["contact", "event", "transactional", "delete"] as const;
export const actions = someOf(actionNames);

const states: readonly SearchState[] = [
  ...(["waiting", "sending", "done", "superseded", "skipped", "dead", "parked"] as const),
  "attention",
];

export const personFields = { email, userId: text(500), ref: text(500) };
export const webhookFields = { source: text(100), type: text(200), since: time, until: time };
export const searchFields = {
  ...{ ...personFields, ...webhookFields },
  ...{
    state: someOf(states),
    rule: text(500),
    action: z.enum(actionNames).describe(`one of ${actionNames.join(", ")}`),
  },
};
export const pageFields = { limit, cursor };

/** Parses parameters. Returns a refusal that names the wrong parameter and what it must be. */
const parse = <F extends Fields>(given: Iterable<[string, unknown]>, fields: F): Given<F> | Response => {
  const values: Record<string, unknown> = {};
  for (const [name, value] of given) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!field) return refuse("invalid_parameter", unknownName(name, Object.keys(fields)));
    if (Object.hasOwn(values, name)) return refuse("invalid_parameter", `${name} is given more than once.`);
    const parsed = field.safeParse(value);
    if (!parsed.success) return refuse("invalid_parameter", `${name} must be ${field.description}.`);
    values[name] = parsed.data;
  }
  const { since, until } = values as { since?: number; until?: number };
  if (since !== undefined && until !== undefined && since >= until)
    return refuse("invalid_parameter", "since must be before until.");
  return values as Given<F>;
};

const unknownName = (name: string, names: readonly string[]): string => {
  const like = closest(name, names);
  const known = names.length > 0 ? `Known: ${names.join(", ")}.` : "This path has no parameters.";
  return `There is no parameter "${name.slice(0, 50)}". ${like === undefined ? "" : `Did you mean ${like}? `}${known}`;
};

/** Parses the parameters in the URL. */
export const query = <F extends Fields>(request: Request, fields: F): Given<F> | Response =>
  parse(new URL(request.url).searchParams, fields);

/** Parses the parameters in the JSON body; an empty body has none. The URL must have no parameters. */
export const body = async <F extends Fields>(
  request: Request,
  fields: F,
  maxBody = MAX_BODY,
): Promise<Given<F> | Response> => {
  const misplaced = query(request, {});
  if (misplaced instanceof Response) return misplaced;
  const raw = await readText(request, maxBody);
  if (raw === undefined) return refuse("body_too_large", `The body is larger than ${maxBody} bytes.`);
  let json: unknown;
  try {
    json = raw.trim() === "" ? {} : JSON.parse(raw);
  } catch {
    return refuse("invalid_json", "The body is not valid JSON.");
  }
  if (!isObject(json)) return refuse("invalid_json", "The body must be a JSON object.");
  return parse(Object.entries(json), fields);
};

/** The search filter in the parsed parameters. */
export const filterOf = (given: Given<typeof searchFields>): Filter => {
  const { state: states, ...rest } = given;
  const who = pickDefined(rest, ["email", "userId", "ref"]);
  return {
    ...pickDefined(rest, ["source", "type", "since", "until", "rule", "action"]),
    ...(states === undefined ? {} : { states }),
    ...(Object.keys(who).length > 0 ? { who } : {}),
  };
};

/** The page of a search. */
export const pageOf = ({ limit, cursor }: Given<typeof pageFields>, usual: number) => ({
  limit: limit ?? usual,
  ...(cursor === undefined ? {} : { before: cursor }),
});

/** A copy with the members of these names that are defined. */
export const pickDefined = <T extends object, Name extends keyof T>(given: T, names: readonly Name[]): Pick<T, Name> =>
  Object.fromEntries(names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]]))) as Pick<
    T,
    Name
  >;
