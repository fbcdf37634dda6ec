import * as z from "zod";
import { errorBody } from "./errors.ts";
import { type Contract, hasBody, type Operation, operationsOf, pathParameters } from "./operation.ts";

type Schema = Record<string, unknown>;

const refusals: Readonly<Record<number, string>> = {
  400: "The request is invalid; `path` names the field.",
  401: "The API key is missing or not valid. This answer has no rate limit headers.",
  404: "There is no such resource.",
  405: "The path exists, with another method.",
  409: "It is in conflict with what is there, or the Idempotency-Key was used within 24 hours.",
  413: "The body, its `lmx`, or a file to upload is too large.",
  415: "The body is not sent as JSON in UTF-8, or with a Content-Encoding.",
  422: "The content has errors; `errors` lists them.",
  429: "The team's rate limit; `Retry-After` says when to try again.",
  500: "Something went wrong in the service.",
  501: "A node of this type has no fields to change.",
  507: "The data of the team uses 95 % of its limit, so only transactional mail, unsubscribes and deletions pass.",
};

const always = [401, 405, 429, 500];
const ofActs = [507];

/** Derives an OpenAPI 3.1 document from a contract. */
export const openApiOf = (contract: Contract, prefix: string, info: { title: string; version: string }): Schema => {
  const named: Schema = {};
  const paths: Record<string, Record<string, Schema>> = {};
  for (const { name, operation } of operationsOf(contract)) {
    const path = prefix + operation.path;
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: withNames(describe(name, operation), named) };
  }
  return {
    openapi: "3.1.0",
    info: { ...info, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: "/", description: "The host that serves this document" }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: "http", scheme: "bearer" } },
      schemas: { Error: schemaOf(errorBody, "output"), ...named },
    },
  };
};

const describe = (name: string, operation: Operation): Schema => {
  const request = schemaOf(operation.request, "input");
  const properties = (request.properties ?? {}) as Record<string, Schema>;
  const required = new Set((request.required ?? []) as string[]);
  const inPath = pathParameters(operation.path);
  const { example } = operation;
  const inBody = hasBody(operation);
  const inQuery = inBody ? [] : Object.keys(properties).filter((key) => !inPath.includes(key));
  const key = {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    schema: { type: "string", minLength: 1, maxLength: 100 },
  };
  const parameters = [
    ...inPath.map((parameter) => ({
      name: parameter,
      in: "path",
      required: true,
      schema: properties[parameter] ?? { type: "string" },
      example: example[parameter],
    })),
    ...inQuery.map((parameter) => ({
      name: parameter,
      in: "query",
      required: required.has(parameter),
      schema: properties[parameter] ?? {},
      ...(parameter in example ? { example: example[parameter] } : {}),
    })),
    ...(operation.idempotent ? [key] : []),
  ];
  const statuses = [
    ...new Set([
      ...operation.refusals,
      ...always,
      ...(inBody ? [400, 413, 415] : []),
      ...(operation.effect === "act" ? ofActs : []),
    ]),
  ].sort();
  return {
    operationId: name,
    tags: [name.split(".")[0]],
    summary: operation.summary,
    ...(inBody || request.description === undefined ? {} : { description: request.description }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(inBody ? { requestBody: bodyOf(operation, request) } : {}),
    responses: {
      [operation.status]: {
        description: "Success",
        ...(operation.status === 204 ? {} : { content: json(schemaOf(operation.response, "output")) }),
      },
      ...Object.fromEntries(
        statuses.map((status) => [
          status,
          { description: refusals[status], content: json({ $ref: "#/components/schemas/Error" }) },
        ]),
      ),
    },
  };
};

const json = (schema: Schema, more: Schema = {}): Schema => ({ "application/json": { schema, ...more } });

const bodyOf = ({ method, path, example }: Operation, request: Schema): Schema => {
  const inPath = pathParameters(path);
  const shown = Object.fromEntries(Object.entries(example).filter(([key]) => !inPath.includes(key)));
  return { required: method !== "DELETE", content: json(withoutPath(request, inPath), { example: shown }) };
};

const withoutPath = (request: Schema, inPath: readonly string[]): Schema => {
  if (inPath.length === 0) return request;
  const properties = Object.entries((request.properties ?? {}) as Schema).filter(([key]) => !inPath.includes(key));
  const required = ((request.required ?? []) as string[]).filter((key) => !inPath.includes(key));
  return { ...request, properties: Object.fromEntries(properties), required };
};

const withNames = (described: Schema, named: Schema): Schema =>
  JSON.parse(JSON.stringify(described).replaceAll('"#/$defs/', '"#/components/schemas/'), (_, value) => {
    if (typeof value !== "object" || value === null || !("$defs" in value)) return value;
    const { $defs, ...rest } = value as Schema;
    for (const [id, schema] of Object.entries($defs as Record<string, Schema>)) {
      const { id: _id, ...own } = schema;
      named[id] = own;
    }
    return rest;
  }) as Schema;

const schemaOf = (schema: z.ZodType, io: "input" | "output"): Schema => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Schema;
  return rest;
};
