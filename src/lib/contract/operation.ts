import type * as z from "zod";

/** The rate limit of operations with `window: "content"`: 60 requests in any 60 s. */
export const CONTENT_WINDOW = { limit: 60, windowMs: 60_000 } as const;

/** Statuses an operation may refuse with, beyond those every operation has (401, 405, 413, 415, 429, 500). */
type RefusalStatus = 400 | 404 | 409 | 413 | 422 | 501;

/**
 * One operation of the API. `request` is one flat object. Its keys named in `path` (`{id}`) go there; the others go
 * into the query of a GET or DELETE, and into the JSON body of a POST or PUT.
 */
export type Operation = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: `/${string}`;
  summary: string;
  request: z.ZodType<Record<string, unknown>>;
  /** Body of a success; `z.undefined()` with status 204. */
  response: z.ZodType;
  /** Stands for `response` in the published client, which has no schemas. */
  form?: AnswerForm;
  /** True where a success is plain text instead of JSON. */
  text?: true;
  /** Status of a success. A 204 has no body. */
  status: 200 | 201 | 204;
  refusals: readonly RefusalStatus[];
  /** One valid request, for the documentation and for tests. */
  example: Record<string, unknown>;
  /** True when an `Idempotency-Key` header (1-100 characters) is honoured for 24 h. */
  idempotent?: true;
  /** Largest accepted body in bytes; 1 MB by default. */
  maxBody?: number;
  /**
   * True for a DELETE with a JSON body. Its fields may stand in the query too, for clients that send no body. False for a
   * POST without a body. An operation that changes something and has no body refuses each field in a body: a caller who sends
   * `dryRun` expects no change.
   */
  body?: boolean;
  /** True where an empty body stands for one without fields. */
  mayBeEmpty?: true;
  /** True where a refusal is published with `success: false`. An answer without it is not the host's word. */
  refusesWithSuccess?: true;
  /** True where a refusal has its path and message in an object `error` too. Only published where this is set. */
  errorObject?: true;
  /** `content`: requests also count in the content window, 60 in 60 s, beside the team's 10 per second. */
  window?: "content";
  /** Lane of such a request in the bridge's gateway; that of contact updates by default. */
  lane?: "transactional" | "event";
};

/**
 * The form of a success, as far as an answer of any host must have it: a list, an object with one of these fields, or one
 * value. Not more, because other hosts have other fields than this contract.
 */
export type AnswerForm = { list: AnswerForm } | { fields: readonly string[] } | "string" | "undefined" | "any";

/** The form of an operation's success; `any` JSON object or list for an operation that the contract does not have. */
export const formOf = (operation: Pick<Operation, "response" | "form"> | undefined): AnswerForm =>
  operation === undefined ? "any" : (operation.form ?? formOfSchema(operation.response));

/** The forms of an operation's answers. `refusesWithSuccess`: a refusal has `success: false`. */
export type AnswerForms = { success: AnswerForm; refusesWithSuccess: boolean };

export const formsOf = (
  operation: Pick<Operation, "response" | "form" | "refusesWithSuccess"> | undefined,
): AnswerForms => ({ success: formOf(operation), refusesWithSuccess: operation?.refusesWithSuccess ?? false });

const formOfSchema = (schema: z.ZodType): AnswerForm => {
  const { type, element, shape } = schema.def as { type: string; element?: z.ZodType; shape?: z.ZodRawShape };
  if (element) return { list: formOfSchema(element) };
  if (shape) return { fields: Object.keys(shape) };
  if (type === "string" || type === "undefined") return type;
  throw new Error(`An answer cannot be a ${type}.`);
};

/** Operations by group and name: `{ contacts: { create, update } }`. */
export type Contract = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

export type Request<O extends Operation> = z.output<O["request"]>;
export type RequestInput<O extends Operation> = z.input<O["request"]>;
export type Response<O extends Operation> = z.output<O["response"]>;

/** `"contacts.create" | …` */
export type OperationName<C extends Contract> = {
  [G in keyof C & string]: `${G}.${keyof C[G] & string}`;
}[keyof C & string];

/** The operation behind a dotted name. */
export type Named<C extends Contract, N extends string> = N extends `${infer G}.${infer O}`
  ? C[G][O] & Operation
  : never;

/** Keeps the exact types of an operation's schemas, and checks its example against the request's. */
export const operation = <const O extends Operation>(definition: O & { example: z.input<O["request"]> }): O =>
  definition;

/** Every operation with its dotted name, in the order of the contract. */
export const operationsOf = (contract: Contract): { name: string; operation: Operation }[] =>
  Object.entries(contract).flatMap(([group, operations]) =>
    Object.entries(operations).map(([name, operation]) => ({ name: `${group}.${name}`, operation })),
  );

/** Names of the parameters in a path: `/a/{id}/b` gives `["id"]`. */
export const pathParameters = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");

/** True where the fields of a request travel in a JSON body, false where they travel in the query. */
export const hasBody = ({ method, body }: Pick<Operation, "method" | "body">): boolean =>
  body ?? (method === "POST" || method === "PUT");

/** Default limit of a request body, in bytes. */
export const MAX_BODY = 1_000_000;
/** Longest `Idempotency-Key`, in characters. */
export const MAX_IDEMPOTENCY_KEY = 100;
