import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { readData, readSender, readSettings } from "../../../../scripts/email/values.ts";
import { makeFolder } from "./folder.ts";

let folder = makeFolder({});
afterEach(() => folder.remove());
const read = (text: string) => {
  folder = makeFolder({ "data.json": text });
  return readData(join(folder.path, "data.json"), "data.json");
};

describe("--set", () => {
  it("gives values by full name; a value may hold an equals sign, and may be empty", () => {
    expect(readSettings(["data.name=Ada", "data.link=https://a.example/?a=1", "contact.city="])).toEqual({
      "data.name": "Ada",
      "data.link": "https://a.example/?a=1",
      "contact.city": "",
    });
  });

  it.each(["name=Ada", "data.name", "data.=x", "user.name=x", "=x", "data.a.b=x"])(
    "%j is an error with an example",
    (setting) => {
      expect(() => readSettings([setting])).toThrow(
        new Error(`--set ${setting}: expected a variable and its value, such as --set data.name=Ada.`),
      );
    },
  );
});

describe("--from", () => {
  it("is the name and the part of the address before the @", () => {
    expect(readSender("Acme & Sons <hello>")).toEqual({
      fromName: "Acme & Sons",
      fromEmail: "hello",
      replyToEmail: null,
    });
    expect(readSender(undefined)).toBeUndefined();
  });

  it.each(["Acme", "hello", "<hello>", " <hello>", "Acme <hello@acme.example>", "Acme <>", "{data.a} <hello>"])(
    "%j is an error with an example",
    (from) => {
      const message = `--from ${from}: expected a name and the part of an address before the @, such as "Acme <hello>".`;
      expect(() => readSender(from)).toThrow(new Error(message));
    },
  );
});

describe("--data", () => {
  it("reads nested and full names; null gives no value", () => {
    expect(read('{ "data": { "name": "Ada", "seats": 3, "old": null }, "event.plan": true }')).toEqual({
      values: { "data.name": "Ada", "data.seats": 3, "event.plan": true },
      findings: [],
    });
  });

  it.each([
    ["[1]", "1:1 bad_data: This is no object"],
    ['{ "name": "Ada" }', '1:1 bad_name: "name" is no name of a variable'],
    ['{ "data": { "a": { "b": 1 } } }', "1:1 bad_value: data.a is no text, number or boolean"],
    ['{ "data": { "a": [1] } }', "1:1 bad_value: data.a is no text, number or boolean"],
    ['{\n  "data" 1\n}', "2:10 bad_json: The file is not JSON: Expected ':' after property name"],
    ['{ "data": x }', "1:1 bad_json: The file is not JSON: Unexpected token 'x'"],
    ['{ "data": {}', "1:13 bad_json: The file is not JSON: Expected ',' or '}' after property value"],
  ])("that is %j is an error at its place", (text, line) => {
    const { values, findings } = read(text);
    expect(values).toEqual({});
    expect(findings.map(({ line, column, code, message }) => `${line}:${column} ${code}: ${message}`)).toEqual([line]);
    expect(findings[0]?.fix).toBeTruthy();
  });

  it("that does not exist is an error", () => {
    expect(readData("/no/data.json", "no.json").findings).toMatchObject([{ path: "no.json", code: "no_file" }]);
  });
});
