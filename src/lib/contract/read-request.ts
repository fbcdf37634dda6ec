import * as z from "zod";
import { type Refusal, refusalOf, wording } from "./errors.ts";
import { type Fields, readJson } from "./json-body.ts";
import { hasBody, MAX_BODY, MAX_IDEMPOTENCY_KEY, type Operation, pathParameters } from "./operation.ts";

export type ApiRequest = { operation: string; idempotencyKey?: string } & (
  | { input: Record<string, unknown> }
  | { refusal: Refusal }
);

type FieldReader = (operation: Operation, request: Request) => Fields | Promise<Fields>;

/**
 * Returns a request reader. It never throws.
 *
 * @param readGiven `readQuery` if the body is a file
 */
export const readerOf = (name: string, operation: Operation, readGiven: FieldReader = readFields) => {
  const inPath = pathParameters(operation.path);
  const isNotGiven = notGivenIn(operation);
  const isStrict = takesNoOtherFields(operation);
  const describe = describedIn(operation);
  return async (request: Request, parameters: Record<string, string>): Promise<ApiRequest> => {
    const key = operation.idempotent ? request.headers.get("Idempotency-Key") : null;
    const read = { operation: name, ...(key === null ? {} : { idempotencyKey: key }) };
    if (key !== null && (key.length < 1 || key.length > MAX_IDEMPOTENCY_KEY)) {
      const message = `Idempotency-Key must have 1 to ${MAX_IDEMPOTENCY_KEY} characters; it has ${key.length}.`;
      return { operation: name, refusal: { code: "invalid_idempotency_key", path: "Idempotency-Key", message } };
    }
    const fields = await readGiven(operation, request);
    if ("refusal" in fields) return { ...read, refusal: fields.refusal };

    const given = Object.entries(fields.value).filter(([field, value]) => !isNotGiven(field, value));
    const twice = isStrict && given.find(([field, value]) => inPath.includes(field) && value !== parameters[field]);
    if (twice) return { ...read, refusal: givenTwice(twice[0]) };
    const fromPath = inPath.map((parameter) => [parameter, parameters[parameter]]);
    const parsed = operation.request.safeParse(Object.fromEntries([...given, ...fromPath]), { error: wording });
    if (parsed.success) return { ...read, input: parsed.data };
    const refusal = describe(parsed.error);
    const [issue] = parsed.error.issues;
    const [about] = issue?.path ?? [];
    const isMissing =
      isStrict && issue?.code === "custom" && about !== undefined && !given.some(([field]) => field === about);
    const left = isMissing && Object.keys(fields.value).find((field) => fields.value[field] === null);
    return { ...read, refusal: left ? aboutNull(left, refusal) : refusal };
  };
};

const aboutNull = (field: string, { path = "", ...refusal }: Refusal): Refusal => {
  const needed = refusal.message.replace(`${path}: `, "");
  return { ...refusal, path: field, message: `${field}: null counts as left out, and ${needed}` };
};

const readFields = async (operation: Operation, request: Request): Promise<Fields> => {
  const isDelete = operation.method === "DELETE";
  if (!hasBody(operation)) {
    const refusal = operation.method === "GET" ? undefined : await fieldInBody(request);
    return refusal ? { refusal } : readQuery(operation, request);
  }
  if (isDelete && !request.body) return readQuery(operation, request);
  const read = await readJson(request, operation.maxBody ?? MAX_BODY, operation.mayBeEmpty);
  if (!isDelete || "refusal" in read) return read;
  const query = readQuery(operation, request);
  return "refusal" in query ? query : { value: { ...query.value, ...read.value } };
};

const fieldInBody = async (request: Request): Promise<Refusal | undefined> => {
  const read = await readJson(request, MAX_BODY, true);
  if ("refusal" in read) return read.refusal;
  const [path] = Object.keys(read.value);
  if (path === undefined) return undefined;
  return { code: "invalid_request", path, message: `${path}: is not a field of this request, which has no body` };
};

/** Reads the query without empty values: published clients send `?cursor&perPage=20` for "no cursor". */
export const readQuery = (operation: Operation, request: Request): Fields => {
  const { search, searchParams } = new URL(request.url);
  // `searchParams` replaces invalid UTF-8, such as half of a surrogate pair, and then finds another contact.
  const wrong = search
    .slice(1)
    .split("&")
    .find((pair) => !isUtf8(pair));
  if (wrong !== undefined) {
    const path = wrong.split("=")[0]?.slice(0, 50) ?? "";
    return { refusal: { code: "invalid_request", path, message: `${path}: must be percent-encoded UTF-8` } };
  }
  const given = [...searchParams].filter(([, value]) => value !== "");
  const names = given.map(([field]) => field);
  const twice = names.find((field, at) => names.indexOf(field) !== at);
  if (twice !== undefined && takesNoOtherFields(operation)) {
    const path = twice.slice(0, 50);
    return { refusal: { code: "invalid_request", path, message: `${path}: must be given only once` } };
  }
  return { value: Object.fromEntries(given) };
};

const isUtf8 = (pair: string): boolean => {
  try {
    decodeURIComponent(pair.replaceAll(/%(?![0-9A-Fa-f]{2})/g, "%25"));
    return true;
  } catch {
    return false;
  }
};

/** The v1 API ignores unknown fields, as published clients expect. */
const takesNoOtherFields = ({ request }: Operation): boolean =>
  request instanceof z.ZodObject && request.def.catchall instanceof z.ZodNever;

/** A description of a field completes the message: `limit must be a whole number from 1 to 100.` */
const describedIn = ({ request }: Operation): ((error: z.ZodError) => Refusal) => {
  const shape: Record<string, z.ZodType> = request instanceof z.ZodObject ? request.shape : {};
  return (error) => {
    const refusal = refusalOf(error);
    const [name = ""] = refusal.path?.split(".") ?? [];
    const text = descriptionOf(shape[name]);
    const isOwn = error.issues[0]?.code === "custom" || refusal.message.endsWith(" is required.");
    return text === undefined || isOwn ? refusal : { ...refusal, path: name, message: `${name} must be ${text}.` };
  };
};

const descriptionOf = (field: z.ZodType | undefined): string | undefined =>
  field?.description ?? (field instanceof z.ZodOptional ? descriptionOf(field.unwrap() as z.ZodType) : undefined);

const givenTwice = (path: string): Refusal => {
  const message = `${path}: is another one in the path of this request. Leave it out of the other fields.`;
  return { code: "invalid_request", path, message };
};

const takes = (field: z.ZodType, value: unknown): boolean => field.safeParse(value).success;

/** Published clients send null for "not given", and an empty list because PHP writes an empty map as `[]`. */
const notGivenIn = ({ request }: Operation): ((field: string, value: unknown) => boolean) => {
  const shape: Record<string, z.ZodType> = request instanceof z.ZodObject ? request.shape : {};
  const optional = Object.entries(shape).filter(([, field]) => takes(field, undefined));
  const notNull = new Set(optional.flatMap(([name, field]) => (takes(field, null) ? [] : [name])));
  const maps = new Set(optional.flatMap(([name, field]) => (takes(field, {}) && !takes(field, []) ? [name] : [])));
  return (field, value) =>
    value === null ? notNull.has(field) : Array.isArray(value) && value.length === 0 && maps.has(field);
};
