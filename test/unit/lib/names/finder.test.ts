import { describe, expect, it } from "vitest";
import { encodedHintsOf, finderOf } from "../../../../src/lib/names/finder.ts";
import { threadTime } from "../../../thread-time.ts";

const names = { emails: ["ada.l+x@example.com"], ids: ["user_ada_42"] };
const finder = finderOf(names);
const base64 = (text: string) => Buffer.from(text).toString("base64");

const FORMS: readonly [form: string, text: string][] = [
  ["dots before it", "...ada.l+x@example.com"],
  ["a dash before it", "-ada.l+x@example.com"],
  ["dashes after it", "ada.l+x@example.com--"],
  ["a dot and a dash after it", "ada.l+x@example.com.-"],
  ["underscores around it", "_Ada.l+x@example.com_"],
  ["underscores after it, and a word", "ada.l+x@example.com__bounced"],
  ["words with underscores on both sides", "id_ada.l+x@example.com_2026"],
  ["words with underscores on both sides, capitals", "ID__ADA.L+X@EXAMPLE.COM__SENT"],
  ["a word with an underscore before it, and one with a capital letter after it", "id_ada.l+x@example.comSent"],
  ["letters before it that a capital letter ends", "toAda.l+x@example.com"],
  ["letters after it that a capital letter begins", "ada.l+x@example.comSent"],
  ["letters of another script around it", "邮箱ada.l+x@example.com是"],
  ["base64 between underscores", `_${base64("Hello _ada.l+x@example.com_")}_`],
  ["base64 after a word", `x${base64('{"email":"ada.l+x@example.com"}')}`],
  ...["", "a", "ab"].map((pad): [string, string] => [
    `base64 of words on both sides, ${pad.length} bytes later`,
    base64(`${pad}id_ada.l+x@example.com_2026 sent`),
  ]),
  ["base64 of words on both sides, for URLs", Buffer.from("?>id_ada.l+x@example.com_2026~~").toString("base64url")],
  ["base64 of letters on both sides", base64("toAda.l+x@example.comSent")],
  ["base64 of capitals", base64('{"email":"ADA.L+X@EXAMPLE.COM"}')],
  ["in brackets", "<ada.l+x@example.com>"],
  ["decimal entities", "ada.l&#43;x&#64;example.com"],
  ["hexadecimal entities", "ada.l+x&#x40;example&#x2E;com"],
  ["named entities", "ada&period;l&plus;x&commat;example.com"],
  ["percent", "https://a.example/?e=ada.l%2Bx%40example.com"],
  ["percent of some characters only", "https://a.example/?e=ada%2El%2bx@example.com"],
  ["percent three times", `?next=${[1, 2, 3].reduce(encodeURIComponent as never, "ada.l+x@example.com")}`],
  ["escaped JSON in JSON", JSON.stringify({ email: "ada.l+x@example.com" }).replace("@", "\\u0040")],
  ["JSON in JSON in JSON", JSON.stringify(JSON.stringify({ to: "ada.l+x@example.com" })).replace("+", "\\\\u002b")],
  ["base64", base64("ada.l+x@example.com")],
  ["base64 inside a longer text, at each place of a group", base64('{"email":"ada.l+x@example.com","n":1}')],
  ["base64, one byte later", base64(' {"email":"ada.l+x@example.com","n":1}')],
  ["base64, two bytes later", base64('  {"email":"ada.l+x@example.com","n":1}')],
  ["base64 in capitals of a name", base64('{"email":"Ada.l+x@example.com"}')],
  ["base64 in lines", base64(`${"x".repeat(50)} ada.l+x@example.com`).replace(/.{20}/g, "$&\r\n")],
  ["a JSON Web Token", `e30.${Buffer.from('{"email":"ada.l+x@example.com"}').toString("base64url")}.c2ln`],
  ["an id in base64", base64('{"sub":"user_ada_42"}')],
  ["base64 of percent", base64("e=ada.l%2Bx%40example.com&x=1")],
  ["quoted-printable", "To: ada.l+x=40example.com"],
];

describe.each(FORMS)("%s", (_, text) => {
  const json = JSON.stringify({ note: `Hello ${text} and more`, other: "kept" });

  it("is found, by its hint in the body too", () => {
    expect(finder.isIn(json)).toBe(true);
    const body = json.toLowerCase().replaceAll("\\r\\n", "");
    expect(encodedHintsOf(names).some((hint) => body.includes(hint))).toBe(true);
  });

  it("is erased, and the rest stays", () => {
    const left = finder.outOf(json);
    expect(finder.isIn(left)).toBe(false);
    expect(JSON.parse(left)).toMatchObject({ note: expect.stringContaining("[erased]"), other: "kept" });
    if (!text.includes("\n")) expect(JSON.parse(left).note).toMatch(/^Hello .*\[erased\].* and more$/);
  });
});

it.each([
  ["another local part", "jean-ada.l+x@example.com"],
  ["another local part with an underscore", "jean_ada.l+x@example.com"],
  ["another local part without a mark", "xada.l+x@example.com"],
  ["another local part, and a word after it", "xada.l+x@example.com__bounced"],
  ["another local part, and a capital letter after it", "xada.l+x@example.comSent"],
  ["another local part between underscores", "_jean_ada.l+x@example.com_"],
  ["another local part in capitals", "XADA.L+X@EXAMPLE.COM"],
  ["a longer domain", "ada.l+x@example.company"],
  ["a longer domain in capitals", "ADA.L+X@EXAMPLE.COMPANY"],
  ["an id in a longer one", "test_user_ada_42"],
  ["another domain", "ada.l+x@example.com.au"],
  ["another domain with a dash", "ada.l+x@example.com-mail.test"],
  ["a longer id", "user_ada_421"],
  ["another address in base64", base64('{"email":"jean-ada.l+x@example.com"}')],
  ["a text that looks encoded", "100%25 &amp; \\n =3D abcdefghijklmnop /path/to/some/file-name"],
])("%s is not the person", (_, text) => {
  const json = JSON.stringify({ note: text });
  expect(finder.isIn(json)).toBe(false);
  expect(finder.outOf(json)).toBe(json);
});

it("looks through a megabyte in a moment", () => {
  const json = JSON.stringify({ a: base64("x".repeat(700_000)), b: "%41".repeat(50_000), c: "\\\\".repeat(50_000) });
  expect(threadTime(() => expect(finder.isIn(json)).toBe(false))).toBeLessThan(2_000);
});
