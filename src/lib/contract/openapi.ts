import { errorBody } from "./errors.ts";
import { type NamedSchemas, nullable, type Schema, schemaOf, withMappings } from "./openapi/schemas.ts";
import { TAGS } from "./openapi/tags.ts";
import { webhooksOf } from "./openapi/webhooks.ts";
import { type Contract, hasBody, type Operation, operationsOf, pathParameters } from "./operation.ts";

/** Shared answers by status: the name in `components.responses`, and the description. */
const refusals: Readonly<Record<number, readonly [name: string, description: string]>> = {
  400: ["Invalid", "The request is invalid; `path` names the field."],
  401: ["Unauthorized", "The API key is missing or not valid. This answer has no rate limit headers."],
  404: ["NotFound", "There is no such resource."],
  405: ["MethodNotAllowed", "The path exists, with another method."],
  409: ["Conflict", "It is in conflict with what is there, or the Idempotency-Key was used within 24 hours."],
  413: ["TooLarge", "The body, its `lmx`, or a file to upload is too large."],
  415: ["UnsupportedMediaType", "The body is not sent as JSON in UTF-8, or with a Content-Encoding."],
  422: ["InvalidContent", "The content has errors; `errors` lists them."],
  429: ["TooManyRequests", "The team's rate limit; `Retry-After` says when to try again."],
  500: ["InternalError", "Something went wrong in the service."],
  501: ["NotImplemented", "A node of this type has no fields to change."],
  507: [
    "StorageFull",
    "The data of the team uses 95 % of its limit, so only transactional mail, unsubscribes and deletions pass.",
  ],
};

const always = [401, 405, 429, 500];
const ofActs = [507];

const KEY: Schema = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  schema: { type: "string", minLength: 1, maxLength: 100 },
};

/** Derives an OpenAPI 3.1 document from a contract. */
export const openApiOf = (
  contract: Contract,
  prefix: string,
  info: { title: string; version: string; description?: string },
): Schema => {
  const named: NamedSchemas = {};
  const paths: Record<string, Record<string, Schema>> = {};
  for (const { name, operation } of operationsOf(contract)) {
    const path = prefix + operation.path;
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(name, operation, named) };
  }
  const webhooks = webhooksOf(named);
  const error = schemaOf(errorBody, "output", named);
  const responses = Object.values(refusals).map(([name, description]) => [name, { description, content: json(error) }]);
  return {
    openapi: "3.1.0",
    info: { ...info, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: "/", description: "The host that serves this document" }],
    security: [{ apiKey: [] }],
    tags: [...Object.keys(contract), "webhooks"].map((name) => ({ name, description: TAGS[name] })),
    paths,
    webhooks,
    components: {
      securitySchemes: { apiKey: { type: "http", scheme: "bearer" } },
      parameters: { IdempotencyKey: KEY },
      responses: Object.fromEntries(responses),
      schemas: withMappings(named),
    },
  };
};

const describe = (name: string, operation: Operation, named: NamedSchemas): Schema => {
  const request = schemaOf(operation.request, "input", named);
  const properties = (request.properties ?? {}) as Record<string, Schema>;
  const required = new Set((request.required ?? []) as string[]);
  const inPath = pathParameters(operation.path);
  const { example } = operation;
  const inBody = hasBody(operation);
  const inQuery = inBody ? [] : Object.keys(properties).filter((key) => !inPath.includes(key));
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
      ...(required.has(parameter) ? {} : { allowEmptyValue: true }),
      schema: properties[parameter] ?? {},
      ...(parameter in example ? { example: example[parameter] } : {}),
    })),
    ...(operation.idempotent ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
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
        ...(operation.status === 204 ? {} : { content: json(schemaOf(operation.response, "output", named)) }),
      },
      ...Object.fromEntries(
        statuses.map((status) => [status, { $ref: `#/components/responses/${refusals[status]?.[0]}` }]),
      ),
    },
  };
};

const json = (schema: Schema, more: Schema = {}): Schema => ({ "application/json": { schema, ...more } });

const bodyOf = ({ method, path, example }: Operation, request: Schema): Schema => {
  const inPath = pathParameters(path);
  const shown = Object.fromEntries(Object.entries(example).filter(([key]) => !inPath.includes(key)));
  const schema = bodySchema(request, inPath);
  const isNeeded = method !== "DELETE" || schema.required.length > 0;
  return { required: isNeeded, content: json(schema, { example: shown }) };
};

/** Null counts as not given in a field that may be left out. */
const bodySchema = (request: Schema, inPath: readonly string[]): Schema & { required: readonly string[] } => {
  const required = ((request.required ?? []) as string[]).filter((key) => !inPath.includes(key));
  const properties = Object.entries((request.properties ?? {}) as Record<string, Schema>)
    .filter(([key]) => !inPath.includes(key))
    .map(([key, schema]) => [key, required.includes(key) ? schema : nullable(schema)]);
  return { ...request, properties: Object.fromEntries(properties), required };
};
