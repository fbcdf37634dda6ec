import { expect, it } from "vitest";
import { email } from "../../../../src/lib/contract/email.ts";

const label = "a".repeat(63);
it.each([
  "ada@example.com",
  "o'hara+news@mail.example.co.uk",
  "jürgen@bücher.example",
  "a@xn--mnchen-3ya.de",
  `a@${label}.example`,
  "用户@例子.中国",
])("accepts %s", (address) => {
  expect(email.parse(` ${address} `)).toBe(address);
});

it.each([
  ["ada\u200b@example.com", "must not have an invisible character: it has U+200B"],
  ["ada@exam\u2060ple.com", "must not have an invisible character: it has U+2060"],
  ["ada@exam\u00adple.com", "must not have an invisible character: it has U+00AD"],
  ["a\u034fda@example.com", "must not have an invisible character: it has U+034F"],
  ["a\u115fda@example.com", "must not have an invisible character: it has U+115F"],
  ["a\u3164da@example.com", "must not have an invisible character: it has U+3164"],
  ["a\ufe0fda@example.com", "must not have an invisible character: it has U+FE0F"],
  ["a\u2800da@example.com", "must not have an invisible character: it has U+2800"],
  ["ada@192.0.2.1", "must have a domain, not an IP address; 192.0.2.1 is one"],
  ["ada@0x7f.1", "must have a domain, not an IP address; 0x7f.1 is one"],
  ["ada@exam\u00a0ple.com", "must not have a space, such as the no-break space of web pages"],
  ["a\u3000da@example.com", "must not have a space, such as the no-break space of web pages"],
  ["ａｄａ@example.com", "must have ordinary characters instead of full-width ones: is it ada@example.com?"],
  ["ada＠example.com", "must have ordinary characters instead of full-width ones: is it ada@example.com?"],
  ["ada@example．com", "must have ordinary characters instead of full-width ones: is it ada@example.com?"],
  ["a..b@example.com", "must not begin or end a part with a dot, or have two dots in a row"],
  [".a@example.com", "must not begin or end a part with a dot, or have two dots in a row"],
  ["a@example..com", "must not begin or end a part with a dot, or have two dots in a row"],
  ["a@.example.com", "must not begin or end a part with a dot, or have two dots in a row"],
  ["a@example.com.", "must not begin or end a part with a dot, or have two dots in a row"],
  [`a@${label}a.example`, "must have at most 63 characters in each part of the domain"],
  [`a@${"ü".repeat(60)}.example`, "must have at most 63 characters in each part of the domain"],
  ["a@-example.com", "must not have a domain with a hyphen at the beginning or end of a part"],
  ["a@example-.com", "must not have a domain with a hyphen at the beginning or end of a part"],
  ["a@b!c.com", "must have a valid domain; b!c.com is none"],
  ["a@999.999", "must have a valid domain; 999.999 is none"],
  ["a@b", 'must be an email address such as "ada@example.com"'],
  ["a b@example.com", 'must be an email address such as "ada@example.com"'],
  ["a\u0000@example.com", 'must be an email address such as "ada@example.com"'],
  [`${"a".repeat(250)}@example.com`, "must be at most 254 characters"],
])("refuses %j with the reason", (address, message) => {
  expect(email.safeParse(address).error?.issues[0]?.message).toBe(message);
});
