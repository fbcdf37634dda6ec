import { expect, test } from "vitest";
import { oneLine } from "../../../src/rules/one-line.ts";

test.each([
  ["indentation and gaps of types", "(e    ) =>\n      e.a   >\n  1", "(e) => e.a > 1"],
  [
    "a string",
    '(e) =>\n  e.a ===   \'x  y , z\' || e.b === "it\\"s  (\n )"',
    '(e) => e.a === \'x  y , z\' || e.b === "it\\"s  (\\n )"',
  ],
  ["a template", "(e) => `a\n  x  ,b`   === e.y", "(e) => `a\\n  x  ,b` === e.y"],
  ["a regular expression", "(e) =>   /a  [/]b/.test(e.x)", "(e) => /a  [/]b/.test(e.x)"],
  ["a division", "(e) => e.a  / 2 >  1 /  e.c", "(e) => e.a / 2 > 1 / e.c"],
  ["a comment", "(e) => e.a && // paid\n  /* or  not */ e.b", "(e) => e.a && e.b"],
  ["an address", '(e) =>   e.x === "http://a  b"', '(e) => e.x === "http://a  b"'],
  ["the comma of a last line", "(e) =>\n  some(\n    e.a,\n    [e.b,\n ],\n  )", "(e) => some(e.a, [e.b])"],
])("on one line: %s", (_, text, line) => {
  expect(oneLine(text)).toBe(line);
});
