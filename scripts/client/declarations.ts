import * as z from "zod";
import { type Contract, type Operation, operationsOf } from "../../src/lib/contract/operation.ts";

/** `test/commands/client.test.ts` compares this with the source. */
const HEAD = `/** A refusal of the email service in the form of the API. Network errors and aborts are thrown as \`fetch\` throws them. */
export declare class ApiError extends Error {
  readonly name = "ApiError";
  readonly status: number;
  /** The error code of the email service, if it has one. */
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  /** Milliseconds to wait, from \`Retry-After\` (seconds or a date). */
  readonly retryAfter: number | undefined;
  /** True for a 401 without \`success: false\`. The API has such ones, and so have proxies: only a key check can tell. */
  readonly plain: boolean;
  constructor(
    status: number,
    message: string,
    details?: { code?: string; requestId?: string; retryAfter?: number; plain?: boolean },
  );
}

/**
 * An answer of any status that is not in the form of the API: something in front of the email service gave it, such as a proxy or a
 * firewall, or it was cut. The outcome is unknown: repeat the request with the same idempotency key.
 */
export declare class ForeignAnswerError extends Error {
  readonly name = "ForeignAnswerError";
  readonly status: number;
  /** Milliseconds to wait, from \`Retry-After\` (seconds or a date). */
  readonly retryAfter: number | undefined;
  constructor(status: number, message: string, retryAfter?: number);
}

export type CallOptions = { idempotencyKey?: string; signal?: AbortSignal };

export type ClientConfig = {
  /** Base address, with or without a trailing \`/\` or \`/v1\`. */
  baseUrl: string;
  apiKey: string;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Added to every request, for example a User-Agent. */
  headers?: Record<string, string>;
  /** The clock in Unix ms, for a \`Retry-After\` that is a date. The system clock by default. */
  now?: () => number;
};

/**
 * A client for any email service with the v1 API. It does not retry: the caller decides.
 *
 * @example
 * const api = createClient({ baseUrl: "http://127.0.0.1:8788", apiKey });
 * await api.events.send({ email: "ada@example.com", eventName: "signedUp" }, { idempotencyKey: "signup-42" });
 */
export declare const createClient: (config: ClientConfig) => Client;
`;

/** Returns type declarations without imports. */
export const declarationsOf = (contract: Contract): string => {
  const groups = new Map<string, string[]>();
  for (const { name, operation } of operationsOf(contract)) {
    const [group = "", method = ""] = name.split(".");
    groups.set(group, [...(groups.get(group) ?? []), member(method, operation)]);
  }
  const members = [...groups].map(([group, lines]) => `  readonly ${group}: {\n${lines.join("")}  };\n`);
  return `${HEAD}\nexport type Client = {\n${members.join("")}};\n`;
};

const member = (method: string, operation: Operation): string => {
  const request = schemaOf(operation.request, "input");
  const optional = (request.required ?? []).length === 0 ? "?" : "";
  const response = operation.status === 204 ? "undefined" : typeOf(schemaOf(operation.response, "output"));
  return `    /** ${operation.summary}: ${operation.method} ${operation.path} */
    readonly ${method}: (request${optional}: ${typeOf(request)}, options?: CallOptions) => Promise<${response}>;
`;
};

/** Each type is written inline, without the schema names of openapi.json. */
const noNames = z.registry<{ id?: string }>();

const schemaOf = (schema: z.ZodType, io: "input" | "output"): Schema =>
  z.toJSONSchema(schema, { io, unrepresentable: "any", metadata: noNames, reused: "inline" }) as Schema;

type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
};

/** Converts a JSON Schema to TypeScript, without limits such as a length. */
const typeOf = (schema: Schema): string => union(membersOf(schema));

const membersOf = (schema: Schema): string[] => {
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value));
  // A type makes anyOf only a restriction: one of two identifiers is required.
  if (schema.anyOf && schema.type === undefined) return schema.anyOf.flatMap(membersOf);
  if (schema.oneOf) return schema.oneOf.flatMap(membersOf);
  if (Array.isArray(schema.type)) return schema.type.flatMap((type) => membersOf({ ...schema, type }));
  switch (schema.type) {
    case "object":
      return [objectOf(schema)];
    case "array":
      return [arrayOf(schema.items ?? {})];
    case "integer":
      return ["number"];
    case "string":
    case "number":
    case "boolean":
    case "null":
      return [schema.type];
    case undefined:
      return ["unknown"];
    default:
      throw new Error(`There is no TypeScript type here for ${JSON.stringify(schema)}.`);
  }
};

const union = (members: readonly string[]): string =>
  members.includes("unknown") ? "unknown" : [...new Set(members)].join(" | ");

const arrayOf = (items: Schema): string =>
  membersOf(items).length > 1 ? `(${typeOf(items)})[]` : `${typeOf(items)}[]`;

const objectOf = ({ properties, required = [], additionalProperties }: Schema): string => {
  const more = typeof additionalProperties === "object" ? additionalProperties : undefined;
  if (!properties) return `Record<string, ${more ? typeOf(more) : "unknown"}>`;
  const fields = Object.entries(properties).map(([name, schema]) =>
    required.includes(name)
      ? `${name}: ${typeOf(schema)};`
      : `${name}?: ${union([...membersOf(schema), "undefined"])};`,
  );
  // An index signature must include the types of named keys: `unknown`.
  return `{ ${[...fields, ...(more ? ["[name: string]: unknown;"] : [])].join(" ")} }`;
};
