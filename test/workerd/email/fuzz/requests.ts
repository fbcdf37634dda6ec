import fc from "fast-check";
import { hasBody, type Operation, operationsOf } from "../../../../src/lib/contract/operation.ts";
import { v1 } from "../../../../src/lib/contract/v1.ts";
import { fieldsOf } from "../examples.ts";
import { oddText, oddValue, toJson } from "./texts.ts";

/** One request as data, so that it can be printed, stored and sent again. */
export type Shot = {
  /** Ms since the request before. */
  wait: number;
  method: string;
  /** Path and query after `/v1`, as in the URL. */
  path: string;
  headers: Record<string, string>;
  /** A text, or bytes in base64. */
  body?: string | { base64: string };
};

const known = {
  emails: ["ada@example.com", "bo@example.com", "SUPPRESSED@Example.com", "new@example.com", "jürgen@bücher.example"],
  userIds: ["user_42", "u1", "u2", "__proto__", "new"],
  lists: ["lst_1", "lst_news", "lst_old", "lst_none", "__proto__"],
  properties: ["plan", "seats", "vip", "renewsAt", "fresh", "constructor", "toString", "hasOwnProperty", "firstName"],
  events: ["signedUp", "__proto__", "a/b", "%41", "ünï", "."],
  templates: ["tpl_welcome", "tpl_receipt", "tpl_magic_link", "tpl_none"],
  variables: ["name", "amount", "description", "date", "reference", "__proto__"],
};

const oneOf = (values: readonly string[]) => fc.constantFrom(...values);
const values = (names: readonly string[]) =>
  fc.dictionary(oneOf(names), sane(fc.oneof(fc.string(), fc.double(), fc.boolean())));

const sane = <T>(good: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary: good as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: oddValue });

const fields: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  email: oneOf(known.emails),
  userId: oneOf(known.userIds),
  firstName: fc.constantFrom("Ada", null),
  lastName: fc.constantFrom("Lovelace", null),
  source: fc.constantFrom("API", null),
  userGroup: fc.constantFrom("beta", null),
  subscribed: fc.boolean(),
  mailingLists: fc.dictionary(oneOf(known.lists), sane(fc.boolean())),
  properties: values(known.properties),
  contactProperties: values(known.properties),
  eventName: oneOf(known.events),
  eventProperties: values(known.properties),
  eventPatternId: oneOf(["evp_1", "evp_none"]),
  transactionalId: oneOf(known.templates),
  dataVariables: fc.oneof(
    fc.constant(Object.fromEntries(known.variables.slice(0, 5).map((name) => [name, "value"]))),
    values(known.variables),
  ),
  addToAudience: fc.boolean(),
  attachments: fc.array(fc.record({ filename: fc.string(), contentType: fc.string(), data: fc.string() }), {
    maxLength: 2,
  }),
  name: fc.constantFrom("fresh", "plan", "firstName", "camelCase", "Not-camel", "x".repeat(80), "x".repeat(81)),
  type: oneOf(["string", "number", "boolean", "date"]),
  list: oneOf(["all", "custom"]),
  status: oneOf(["all", "draft", "published"]),
  perPage: fc.integer({ min: 5, max: 55 }).map(String),
  cursor: oneOf([btoa("n1"), btoa("n2").replaceAll("=", ""), btoa("n999999999999999"), btoa("n-1")]),
};

const operations = operationsOf(v1);
const goodValue = (name: string): fc.Arbitrary<unknown> => {
  const shown = operations.flatMap(({ operation }) => (name in operation.example ? [operation.example[name]] : []));
  return fields[name] ?? (shown.length > 0 ? fc.constantFrom(...shown) : oddValue);
};

const membersOf = (operation: Operation): fc.Arbitrary<[string, unknown][]> => {
  const own = fieldsOf(operation).map((name) =>
    fc.tuple(fc.constant(name), sane(goodValue(name)), fc.nat(9)).map(([key, value, dice]) => ({
      member: [key, value] as [string, unknown],
      present: name in operation.example ? dice > 0 : dice > 6,
    })),
  );
  const more = fc.array(
    fc.tuple(fc.oneof(oneOf(known.properties), oneOf(fieldsOf(operation).concat("x")), oddText), sane(fc.string())),
    {
      maxLength: 3,
    },
  );
  const made = fc
    .tuple(fc.tuple(...own), fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: more }))
    .map(([mine, others]) => [...mine.filter(({ present }) => present).map(({ member }) => member), ...others]);
  const example = fc.constant(Object.entries(operation.example));
  return fc.oneof({ weight: 9, arbitrary: made }, { weight: 1, arbitrary: example });
};

const bytes = (...parts: number[]) => ({ base64: btoa(String.fromCharCode(...parts)) });

const brokenBody: fc.Arbitrary<Shot["body"]> = fc.oneof(
  fc.constantFrom<NonNullable<Shot["body"]>[]>(
    "",
    " ",
    "{",
    "{}",
    "[]",
    "null",
    "0",
    '"x"',
    '{"email":}',
    "{'email':1}",
    '{"email":"a@b.c"}{}',
    "\ufeff{}",
    "// x\n{}",
    `${"[".repeat(100_000)}`,
    `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`,
    `{"email":${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
    bytes(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00),
    bytes(0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d),
    bytes(0xef, 0xbb, 0xbf, 0x7b, 0x7d),
    bytes(0x1f, 0x8b, 0x08, 0x00),
    bytes(0x00),
    bytes(0xed, 0xa0, 0x80),
  ),
  fc.uint8Array({ maxLength: 60 }).map((array) => bytes(...array)),
  fc.json(),
  oddValue.map((value) => JSON.stringify(value) ?? ""),
  oddText,
);

const queryOf = (members: readonly (readonly [string, unknown])[]): string => {
  const pairs = members.map(
    ([name, value]) => `${encode(name)}=${encode(typeof value === "string" ? value : JSON.stringify(value))}`,
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
};

/** encodeURIComponent throws on lone surrogates, so they are replaced. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

const rawQuery = oneOf([
  "?",
  "??",
  "?&&&",
  "?=",
  "?email",
  "?email=%",
  "?email=%ff%fe",
  "?%00=%00",
  "?email[]=a@b.c",
  "?a=1;b=2",
  "?#x",
  "?perPage=10&perPage=20",
]);

const inPath: Readonly<Record<string, readonly string[]>> = {
  eventName: known.events,
  transactionalId: known.templates,
  eventPatternId: ["evp_1", "evp_2", "evp_none"],
};

const pathOf = (operation: Operation): fc.Arbitrary<string> => {
  const filled = fc
    .array(fc.oneof({ weight: 3, arbitrary: fc.nat(5) }, { weight: 1, arbitrary: oddText }), {
      minLength: 2,
      maxLength: 2,
    })
    .chain((picks) =>
      fc.constant(
        operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
          const pick = picks[0] ?? 0;
          const own = inPath[name] ?? [String(operation.example[name]), "none"];
          return typeof pick === "number" ? encode(own[pick % own.length] ?? "") : encode(pick.slice(0, 2_000));
        }),
      ),
    );
  const bent = fc.tuple(filled, fc.nat(12)).map(([path, dice]) => {
    const bends = [
      `${path}/`,
      `/${path}`,
      path.toUpperCase(),
      `${path}%00`,
      `${path}%`,
      `${path}%2f..`,
      `${path};x=1`,
      path.replace("/", "//"),
      `${path}.json`,
      `/%2e%2e${path}`,
      `${path}/%F0%9F%98%80`,
      path.slice(0, -1),
      `${path}/${"a".repeat(3_000)}`,
    ];
    return bends[dice] ?? path;
  });
  return fc.oneof({ weight: 12, arbitrary: filled }, { weight: 1, arbitrary: bent });
};

const headerValue = fc.oneof(
  oneOf(["", "0", "x", "x".repeat(100), "x".repeat(101), "a,b", " padded ", "__proto__", "x".repeat(9_000), "\t"]),
  fc.string({ maxLength: 110 }).map((text) => text.replaceAll(/[^\x20-\x7e]/g, "")),
);
const contentTypes = [
  "application/json",
  "application/json; charset=utf-8",
  "APPLICATION/JSON",
  "application/problem+json",
  "application/json; charset=utf-16",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "",
  ";",
  "*/*",
  "json",
];
const otherHeaders = [
  "Content-Length",
  "Content-Encoding",
  "Transfer-Encoding",
  "X-HTTP-Method-Override",
  "Accept",
  "Host",
  "Range",
  "If-Match",
  "Expect",
  "Cookie",
  "X-Forwarded-For",
  "Idempotency-Key",
  "Authorization",
  "Upgrade",
  "Content-Type",
];
const headersOf = (hasBody: boolean): fc.Arbitrary<Record<string, string>> =>
  fc
    .tuple(
      fc.oneof(
        { weight: 12, arbitrary: fc.constant("application/json") },
        { weight: 1, arbitrary: oneOf(contentTypes) },
      ),
      fc.oneof(
        { weight: 3, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: oneOf(["key-1", "key-2"]) },
        { weight: 1, arbitrary: headerValue },
      ),
      fc.oneof(
        { weight: 12, arbitrary: fc.constant({}) },
        { weight: 1, arbitrary: fc.dictionary(oneOf(otherHeaders), headerValue, { maxKeys: 3 }) },
      ),
    )
    .map(([type, key, others]) => ({
      ...(hasBody ? { "Content-Type": type } : {}),
      ...(key === undefined ? {} : { "Idempotency-Key": key }),
      ...others,
    }));

const methods = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "PURGE"];

const shot = ({ operation }: { operation: Operation }): fc.Arbitrary<Shot> => {
  const writes = hasBody(operation);
  const payload = membersOf(operation).chain((members) =>
    writes
      ? fc.oneof(
          { weight: 8, arbitrary: fc.constant({ body: toJson(members) as Shot["body"], query: "" }) },
          { weight: 1, arbitrary: brokenBody.map((body) => ({ body, query: "" })) },
        )
      : fc.oneof(
          { weight: 8, arbitrary: fc.constant({ body: undefined, query: queryOf(members) }) },
          { weight: 1, arbitrary: rawQuery.map((query) => ({ body: undefined, query })) },
        ),
  );
  return fc
    .tuple(
      // 100 ms apart, requests stay within the rate limit. Some come closer or much later.
      fc.oneof(
        { weight: 15, arbitrary: fc.constant(100) },
        { weight: 1, arbitrary: fc.constantFrom(0, 1, 60_000, 86_400_000) },
      ),
      fc.oneof({ weight: 15, arbitrary: fc.constant(operation.method) }, { weight: 1, arbitrary: oneOf(methods) }),
      pathOf(operation),
      payload,
      headersOf(writes),
    )
    .map(([wait, method, path, { body, query }, headers]) => ({
      wait,
      method,
      path: path + query,
      headers,
      ...(body === undefined || method === "GET" || method === "HEAD" ? {} : { body }),
    }));
};

/** A sequence of requests for operations of the contract. */
export const shots = (length: number): fc.Arbitrary<Shot[]> =>
  fc.array(fc.oneof(...operations.map(shot)), { minLength: length, maxLength: length });
