import type * as z from "zod";
import type { Act, Part, Role } from "./access.ts";

export const CONTENT_WINDOW = { limit: 60, windowMs: 60_000 } as const;

type RefusalStatus = 400 | 404 | 409 | 413 | 422 | 501;

type NoAct = { [Field in keyof Act]?: never };

/** `question`: a POST that changes nothing. */
type Effect =
  | ({ method: "GET"; effect: "read" } & NoAct)
  | ({ method: "POST"; effect: "question" } & NoAct)
  | ({ method: "POST" | "PUT" | "DELETE"; effect: "act" } & Act);

/** Keys of `request` go into the path, then the query (GET, DELETE) or the JSON body. */
export type Operation = Effect & {
  /** The minimum role in the dashboard. */
  needs: Role;
  part?: Part;
  path: `/${string}`;
  /** A path that older published clients ask, without parameters. */
  formerPath?: `/${string}`;
  summary: string;
  request: z.ZodType<Record<string, unknown>>;
  /** Body of a success; `z.undefined()` with status 204. */
  response: z.ZodType;
  /** Replaces `response` in the published client, which has no schemas. */
  form?: AnswerForm;
  /** Replaces `request` there: true if there is nothing to give. */
  noRequest?: boolean;
  /** True if a success is plain text. */
  text?: true;
  status: 200 | 201 | 204;
  refusals: readonly RefusalStatus[];
  example: Record<string, unknown>;
  /** True if an `Idempotency-Key` (1-100 characters) is honored for 24 h. */
  idempotent?: true;
  /** Bytes; 1 MB by default. */
  maxBody?: number;
  /**
   * True for a DELETE with a JSON body; its fields may also stand in the query. False for a POST without a body. A
   * changing operation without a body refuses body fields such as `dryRun`.
   */
  body?: boolean;
  mayBeEmpty?: true;
  /** True if errors are published with `success: false`. An answer without it is foreign. */
  refusesWithSuccess?: true;
  /** True if an error also has path and message in an object `error`. */
  errorObject?: true;
  /** `content`: also limited to 60 requests in 60 s, beside the team's 10 per second. */
  window?: "content";
  /** Lane in the bridge's gateway; contact updates by default. */
  lane?: "transactional" | "event";
};

/** The minimal form of a success, because other email services have other fields. */
export type AnswerForm = { list: AnswerForm } | { fields: readonly string[] } | "string" | "undefined" | "any";

/** Returns the success form; `any` JSON object or list for an unknown operation. */
export const formOf = (operation: Pick<Operation, "response" | "form"> | undefined): AnswerForm =>
  operation === undefined ? "any" : (operation.form ?? formOfSchema(operation.response));

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

export type Contract = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

export type Request<O extends Operation> = z.output<O["request"]>;
export type RequestInput<O extends Operation> = z.input<O["request"]>;
export type Response<O extends Operation> = z.output<O["response"]>;

export type OperationName<C extends Contract> = {
  [G in keyof C & string]: `${G}.${keyof C[G] & string}`;
}[keyof C & string];

export type Named<C extends Contract, N extends string> = N extends `${infer G}.${infer O}`
  ? C[G][O] & Operation
  : never;

type Definition = Omit<Operation, "method" | "effect" | "needs" | keyof Act>;
type Example<O extends Definition> = { example: z.input<O["request"]> };
/** Describes a GET. Keeps the exact types of the schemas and type-checks the example, as the next two do. */
export const read = <const O extends Definition>(needs: Role, definition: O & Example<O> & NoAct) =>
  ({ ...definition, method: "GET", effect: "read", needs }) as O & { method: "GET"; effect: "read"; needs: Role };

/** Describes a POST that changes nothing. */
export const question = <const O extends Definition>(needs: Role, definition: O & Example<O> & NoAct) =>
  ({ ...definition, method: "POST", effect: "question", needs }) as O & {
    method: "POST";
    effect: "question";
    needs: Role;
  };

/** Describes an operation that changes something. */
export const act = <const O extends Definition & Act & { method: "POST" | "PUT" | "DELETE" }>(
  needs: Role,
  definition: O & Example<O>,
) => ({ ...definition, effect: "act", needs }) as O & { effect: "act"; needs: Role };

export const operationsOf = (contract: Contract): { name: string; operation: Operation }[] =>
  Object.entries(contract).flatMap(([group, operations]) =>
    Object.entries(operations).map(([name, operation]) => ({ name: `${group}.${name}`, operation })),
  );

/** Returns path parameters: `/a/{id}/b` gives `["id"]`. */
export const pathParameters = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");

export const hasBody = ({ method, body }: Pick<Operation, "method" | "body">): boolean =>
  body ?? (method === "POST" || method === "PUT");

/** True if a request has no fields, so that the options of a call come first. */
export const takesNothing = ({ noRequest, request }: Pick<Operation, "noRequest" | "request">): boolean => {
  if (noRequest !== undefined) return noRequest;
  const { shape } = request.def as { shape?: z.ZodRawShape };
  return shape !== undefined && Object.keys(shape).length === 0;
};

/** Default limit of a request body, in bytes. */
export const MAX_BODY = 1_000_000;
export const MAX_IDEMPOTENCY_KEY = 100;
