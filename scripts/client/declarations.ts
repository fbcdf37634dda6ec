import * as z from "zod";
import { type Contract, type Operation, operationsOf, takesNothing } from "../../src/lib/contract/operation.ts";

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
  /** Longest time of a call without a signal of its own, in ms: 30 000 by default, 0 for none. It ends with a TimeoutError. */
  timeoutMs?: number;
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

/** Returns type declarations without imports: a named type for each schema with a name, and the client. */
export const declarationsOf = (contract: Contract): string => {
  const named = new Map<string, string>();
  const groups = new Map<string, string[]>();
  for (const { name, operation } of operationsOf(contract)) {
    const [group = "", method = ""] = name.split(".");
    groups.set(group, [...(groups.get(group) ?? []), member(method, operation, named)]);
  }
  const types = [...named].toSorted().map(([name, type]) => `export type ${name} = ${type};\n`);
  const members = [...groups].map(([group, lines]) => `  readonly ${group}: {\n${lines.join("")}  };\n`);
  return `${HEAD}\n${types.join("")}\nexport type Client = {\n${members.join("")}};\n`;
};

const member = (method: string, operation: Operation, named: Map<string, string>): string => {
  const request = schemaOf(operation.request, "input", named);
  const optional = (request.required ?? []).length === 0 ? "?" : "";
  const given = takesNothing(operation) ? "" : `request${optional}: ${typeOf(request)}, `;
  const response = operation.status === 204 ? "undefined" : typeOf(schemaOf(operation.response, "output", named));
  return `    /** ${operation.summary}: ${operation.method} ${operation.path} */
    readonly ${method}: (${given}options?: CallOptions) => Promise<${response}>;
`;
};

/** @throws if two schemas have one name */
const schemaOf = (schema: z.ZodType, io: "input" | "output", named: Map<string, string>): Schema => {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Schema & {
    $defs?: Record<string, Schema>;
  };
  for (const [name, own] of Object.entries($defs)) {
    const type = typeOf(own);
    if ((named.get(name) ?? type) !== type) throw new Error(`Two schemas are named ${name}.`);
    named.set(name, type);
  }
  return root;
};

type Schema = {
  $ref?: string;
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
  if (schema.$ref !== undefined) return [schema.$ref.slice("#/$defs/".length)];
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
