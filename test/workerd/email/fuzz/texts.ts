import fc from "fast-check";

const odd = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udc00\ud800",
  "\ufeff",
  "\u202e\u2066",
  "e\u0301",
  "İ",
  "ß",
  "ﬁ",
  "👩‍👩‍👧‍👦",
  "𝒜",
  "null",
  "undefined",
  "NaN",
  "true",
  "[object Object]",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "length",
  "then",
  "'; DROP TABLE contacts; --",
  '"',
  "\\",
  "%00",
  "%",
  "%s%n",
  "../../etc/passwd",
  "{{7*7}}",
  "<script>alert(1)</script>",
  "\r\nX-Injected: 1",
  "2026-02-30",
  "2026-01-31T25:00:00Z",
  "+275760-09-13T00:00:00.001Z",
  "0",
  "-0",
  "1e400",
  "9007199254740993",
  "x".repeat(500),
  "x".repeat(501),
  "👍".repeat(250),
  "👍".repeat(251),
  "x".repeat(100_000),
];

export const oddText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...odd) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 120 }) },
);

const oddNumber = fc.oneof(
  fc.constantFrom(0, -0, 1, -1, 0.1, 8.64e15, 8.64e15 + 1, 2 ** 53, -(2 ** 63), 1e308, 5e-324),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** Marker for values that only JSON text can express, such as 1e999. */
const RAW = "\u0001raw:";
const rawJson = fc
  .constantFrom(
    "1e999",
    "-1e999",
    "1".repeat(400),
    "0.1e-999",
    "-0",
    '"\\ud800"',
    '"\\u0000"',
    "[".repeat(300) + "]".repeat(300),
  )
  .map((text) => RAW + text);

export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: oddText },
  { weight: 3, arbitrary: oddNumber },
  { weight: 3, arbitrary: fc.constantFrom(null, true, false, [], {}, [null], [[]], [{}]) },
  { weight: 2, arbitrary: rawJson },
  { weight: 1, arbitrary: fc.array(oddText, { maxLength: 3 }) },
  { weight: 2, arbitrary: fc.dictionary(oddText, fc.oneof(oddText, oddNumber, fc.constant(null)), { maxKeys: 3 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
);

/** A JSON object as text. It can have repeated names, `__proto__`, and values that JSON.stringify never writes. */
export const toJson = (members: readonly (readonly [string, unknown])[]): string =>
  `{${members.map(([name, value]) => `${JSON.stringify(name)}:${valueToJson(value)}`).join(",")}}`;

const valueToJson = (value: unknown): string => {
  if (typeof value === "string" && value.startsWith(RAW)) return value.slice(RAW.length);
  if (Array.isArray(value)) return `[${value.map(valueToJson).join(",")}]`;
  if (typeof value === "object" && value !== null) return toJson(Object.entries(value));
  return JSON.stringify(value) ?? "null";
};
