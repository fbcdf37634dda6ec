import { expect, test } from "vitest";
import { parse } from "../../../../src/lib/webhook/parse.ts";

test.each([
  ['{"id":706405506930370084}', { id: "706405506930370084" }],
  ['{"id":-9007199254740993}', { id: "-9007199254740993" }],
  ['[{"ids":[9007199254740991,9007199254740993]}]', [{ ids: [9_007_199_254_740_991, "9007199254740993"] }]],
  [
    '{"text":"706405506930370084","near":"1234567890123456789 12"}',
    { text: "706405506930370084", near: "1234567890123456789 12" },
  ],
  ['{"rate":0.1234567890123456,"power":1e300}', { rate: 0.1234567890123456, power: 1e300 }],
  ["706405506930370084", "706405506930370084"],
])("%s is read without loss", (raw, value) => {
  expect(parse(raw)).toEqual(value);
});

test("also in lines and in the claims of a token", () => {
  expect(parse('{"id":706405506930370084}\n{"id":1}', "json lines")).toEqual([{ id: "706405506930370084" }, { id: 1 }]);
  expect(parse(`e30.${btoa('{"id":706405506930370084}')}.x`, "token")).toEqual({ id: "706405506930370084" });
});

test("what is not JSON stays undefined, with long numbers too", () => {
  expect(parse('{"id":007064055069303700841}')).toBeUndefined();
  expect(parse('{"id":706405506930370084')).toBeUndefined();
});

test("a long number is found at every place, a number of fifteen digits is left", () => {
  for (let at = 0; at < 40; at++) {
    const before = " ".repeat(at);
    expect(parse(`${before}[1234567890123456789,1]`)).toEqual(["1234567890123456789", 1]);
    expect(parse(`${before}[123456789012345,9007199254740993]`)).toEqual([123_456_789_012_345, "9007199254740993"]);
  }
});
