import * as z from "zod";
import * as fields from "../../lib/contract/admin/bridge/fields.ts";
import { readText } from "../../lib/contract/body.ts";
import { isObject } from "../../lib/util/json.ts";
import { closest } from "../../lib/util/nearest.ts";
import type { Filter } from "../../outbox/operator/search.ts";
import { duration } from "../../rules/values/duration.ts";
import { refuse } from "../errors.ts";

const { ago, day, TIME } = fields;
type Fields = fields.Fields;

type Given<F extends Fields> = { [Name in keyof F]?: z.output<F[Name]> };

/** Bytes. */
const MAX_BODY = 20_000;

/** Accepts ISO 8601 or an age. Becomes Unix ms. */
const time = z
  .union([
    ago.transform((given) => Date.now() - duration(given)),
    day.transform((given) => Date.parse(given)).pipe(z.number()),
  ])
  .describe(TIME);

/** Encodes `next` as a cursor. */
export const cursorOf = (next: number | undefined): string | null => next?.toString(36) ?? null;

/** Times are Unix ms. */
export const webhookFields = { ...fields.webhookFields, since: time, until: time };
export const searchFields = { ...fields.searchFields, since: time, until: time };

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

export const query = <F extends Fields>(request: Request, fields: F): Given<F> | Response =>
  parse(new URL(request.url).searchParams, fields);

/** The URL must have no parameters; an empty body has none. */
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

export const filterOf = (given: Given<typeof searchFields>): Filter => {
  const { state: states, ...rest } = given;
  const who = pickDefined(rest, ["email", "userId", "ref"]);
  return {
    ...pickDefined(rest, ["source", "type", "since", "until", "rule", "action", "cause"]),
    ...(states === undefined ? {} : { states }),
    ...(Object.keys(who).length > 0 ? { who } : {}),
  };
};

export const pageOf = ({ limit, cursor }: Given<typeof fields.pageFields>, usual: number) => ({
  limit: limit ?? usual,
  ...(cursor === undefined ? {} : { before: cursor }),
});

export const pickDefined = <T extends object, Name extends keyof T>(given: T, names: readonly Name[]): Pick<T, Name> =>
  Object.fromEntries(names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]]))) as Pick<
    T,
    Name
  >;
