import { describe, expect, it } from "vitest";
import { withoutBlanksBeforeQuotes } from "../../../../src/lib/imports/blanks-before-quotes.ts";
import { isBlank, toBoolean } from "../../../../src/lib/imports/consent/words.ts";
import { nameParts } from "../../../../src/lib/imports/full-name.ts";
import { guessMapping, guessSuppressions, isAddress } from "../../../../src/lib/imports/mapping.ts";
import { proposeEncodings } from "../../../../src/lib/imports/propose-encodings.ts";
import { type CsvRecord, readRecords } from "../../../../src/lib/imports/records.ts";
import { reasonIn } from "../../../../src/lib/imports/suppressed.ts";

async function* pieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const read = async (text: string | Uint8Array, size = 65_536) => {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const records: CsvRecord[] = [];
  for await (const piece of readRecords(pieces(bytes, size), {})) {
    if ("problem" in piece) return { records, problem: piece.problem };
    records.push(...piece.records);
  }
  return { records };
};

describe("words", () => {
  it.each(["true", "Ja", "WAHR", "oui", "vrai", "t", "sí", "1", "yes", "x", "Subscribed"])("%s is true", (cell) => {
    expect(toBoolean(cell)).toBe(true);
  });

  it.each(["false", "nein", "FALSCH", "non", "faux", "f", "no", "0", "NÃO", "unsubscribed"])("%s is false", (cell) => {
    expect(toBoolean(cell)).toBe(false);
  });

  it.each(["maybe", "-", "active", "cleaned", "2"])("%s is no truth", (cell) => {
    expect(toBoolean(cell)).toBeUndefined();
  });

  it("of databases and spreadsheets for nothing are empty; a surname is none", () => {
    expect(["NULL", "\\N", "#N/A", "N/A", "null", ""].every(isBlank)).toBe(true);
    expect(["Null", "0", "none", "#N/A!"].some(isBlank)).toBe(false);
  });
});

describe("a full name", () => {
  it.each([
    ["Ada Lovelace", "Ada", "Lovelace"],
    ["Lovelace, Ada", "Ada", "Lovelace"],
    ["Dr. Ludwig van Beethoven", "Ludwig", "van Beethoven"],
    ["Juan de la Cruz", "Juan", "de la Cruz"],
    ["Mary Ann Smith Jr.", "Mary Ann", "Smith Jr."],
    ["Ada Lovelace, PhD", "Ada", "Lovelace"],
    ["Ada", "Ada", undefined],
    ["Mrs. Lovelace", undefined, "Lovelace"],
    ["山田太郎", "山田太郎", undefined],
    ["ada@example.com", undefined, undefined],
    ["  ", undefined, undefined],
  ])("%s", (name, firstName, lastName) => {
    expect(nameParts(name)).toEqual({ ...(firstName && { firstName }), ...(lastName && { lastName }) });
  });
});

describe("a blank before a quote", () => {
  it.each([
    ['a, "b"\n', 'a,"b"\n'],
    [' "x" , "y ""z""" ,w\n', '"x","y ""z""",w\n'],
    ['"a, ""b""",c\n', '"a, ""b""",c\n'],
    ['a,"x\n, ""q""",  "r"', 'a,"x\n, ""q""","r"'],
    ['a, "b" x\n', 'a, "b" x\n'],
    ['a, "b\nnot closed', 'a, "b\nnot closed'],
    ['a,5" nail, "b"\n', 'a,5" nail,"b"\n'],
  ])("is no part of a value: %j", (text, expected) => {
    expect(withoutBlanksBeforeQuotes(text, ",")).toBe(expected);
  });

  it("is found where a piece of the file ends in it", async () => {
    for (const size of [1, 3, 7]) {
      const { records } = await read('email,name\na@example.com,  "Ada, Countess" \nb@example.com, "Bob"\n', size);
      expect(records.map(({ cells }) => cells[1])).toEqual(["name", "Ada, Countess", "Bob"]);
    }
  });
});

describe("empty lines", () => {
  it("are counted, also in long runs, and inside quotes they are a value", async () => {
    for (const size of [10, 64, 65_536]) {
      const text = `${"\n".repeat(40)}email,note\n${"\n".repeat(100)}a@example.com,"x${"\n".repeat(50)}y"\n${"\n".repeat(20)}b@example.com,z\n`;
      const { records } = await read(text, size);
      expect(records.map(({ line }) => line)).toEqual([41, 142, 213]);
      expect(records[1]?.cells[1]).toHaveLength(52);
    }
  });

  it("of 60 MB cost no more than their bytes", async () => {
    const plain = new TextEncoder().encode(`email\n${"a@example.com\n".repeat(200_000)}`);
    const time = async (bytes: Uint8Array) => {
      const began = performance.now();
      const found = await read(bytes, 262_144);
      return { ms: performance.now() - began, found };
    };
    await time(plain);
    const usual = await time(plain);
    const bomb = await time(new Uint8Array(60_000_000).fill(10));
    expect(bomb.found).toEqual({ records: [] });
    // 21 times the bytes of the usual file.
    expect(bomb.ms).toBeLessThan(usual.ms * 21);
  });

  it("in a quoted cell of any length are its blanks, or a row that is too long", async () => {
    for (const count of [1_000_000, 20_000_000]) {
      const bytes = new Uint8Array(count + 10).fill(10);
      bytes.set(new TextEncoder().encode('email\n"'));
      bytes.set(new TextEncoder().encode('x"'), count + 7);
      const { records, problem } = await read(bytes, 1_048_576);
      if (count === 1_000_000) expect(records[1]).toMatchObject({ line: 2, cells: ["x"] });
      else expect(problem).toContain("line 2 has more than 16 million characters");
    }
  });

  it("and rows of delimiters alone are refused beyond 1.1 million", async () => {
    const bytes = new TextEncoder().encode(`email,name\n${",\n".repeat(1_200_000)}`);
    expect((await read(bytes, 262_144)).problem).toContain("1.1 million rows without a value");
  });
});

describe("an encoding is proposed by trying", () => {
  const bytes = (...parts: (string | number[])[]) =>
    new Uint8Array(parts.flatMap((part) => (typeof part === "string" ? [...part].map((c) => c.charCodeAt(0)) : part)));
  it.each([
    ["windows-1252", bytes("x@example.com,Zo", [0xeb], " M", [0xfc], "ller\n"), "Zoë Müller"],
    ["macintosh", bytes("x@example.com,Zo", [0x91], " M", [0x9f], "ller\n"), "Zoë Müller"],
    [
      "windows-1251",
      bytes("x@example.com,", [0xce, 0xeb, 0xfc, 0xe3, 0xe0], " ", [0xc8, 0xe2, 0xe0, 0xed]),
      "Ольга Иван",
    ],
    ["windows-1253", bytes("x@example.com,", [0xc3, 0xe9, 0xfe, 0xf1, 0xe3, 0xef, 0xf2]), "Γιώργος"],
    ["windows-1250", bytes("x@example.com,", [0xa3], "ukasz Wi", [0x9c], "niewski"), "Łukasz Wiśniewski"],
    ["shift_jis", bytes("x@example.com,", [0x89, 0xd4, 0x8e, 0x71, 0x82, 0xb3, 0x82, 0xf1]), "花子さん"],
    ["euc-kr", bytes("x@example.com,", [0xb1, 0xe8, 0xc3, 0xb6, 0xbc, 0xf6]), "김철수"],
    ["gb18030", bytes("x@example.com,", [0xd5, 0xc5, 0xce, 0xb0]), "张伟"],
  ])("%s", (encoding, line, reads) => {
    const proposed = proposeEncodings(
      line,
      line.findIndex((byte) => byte > 127),
    );
    expect(proposed.find((one) => one.encoding === encoding)?.reads).toContain(reads);
  });

  it("in the words of the refusal, with what it reads", async () => {
    const { problem } = await read(bytes("email,name\na@example.com,Ada\nb@example.com,Zo", [0xeb], "\n"));
    expect(problem).toContain("Near line 3");
    expect(problem).toContain('?encoding=windows-1252 reads "b@example.com,Zoë" there');
  });
});

describe("the email column", () => {
  const known = { properties: [], lists: [] };
  it("is told by its rows: a postal address is none, and an exact name wins", () => {
    expect(isAddress("1 Main St")).toBe(false);
    expect(guessMapping(["Name", "Address", "Email"], [["Ada", "1 Main St", "a@example.com"]], known)).toEqual({
      Name: "fullName",
      Address: null,
      Email: "email",
    });
    expect(guessMapping(["Address"], [["a@example.com"]], known)).toEqual({ Address: "email" });
    expect(guessMapping(["Address", "Town"], [["1 Main St", "York"]], known)).toEqual({ Address: null, Town: null });
    expect(guessMapping(["Mail", "Contact"], [["1 Main St", "a@example.com"]], known)).toEqual({
      Mail: null,
      Contact: "email",
    });
  });

  it("stands beside the past of a contact", () => {
    const columns = ["Email", "OPTIN_TIME", "Date Added", "First Name", "Name"];
    expect(guessMapping(columns, [["a@example.com", "2024-01-02", "2024-01-02", "Ada", "Ada L"]], known)).toEqual({
      Email: "email",
      OPTIN_TIME: "optInAt",
      "Date Added": "createdAt",
      "First Name": "firstName",
      Name: null,
    });
  });

  it("of a file of suppressed addresses stands beside reason and time", () => {
    const columns = ["EmailAddress", "Reason", "LastUpdateTime", "Note"];
    expect(guessSuppressions(columns, [["a@example.com", "BOUNCE", "2024-01-02T03:04:05Z", ""]])).toEqual({
      EmailAddress: "email",
      Reason: "suppressionReason",
      LastUpdateTime: "suppressedAt",
      Note: null,
    });
  });
});

describe("a reason of another service", () => {
  it.each([
    ["BOUNCE", "bounce"],
    ["HardBounce", "bounce"],
    ["hard-bounce", "bounce"],
    ["cleaned", "bounce"],
    ["550 5.1.1 The email account that you tried to reach does not exist", "bounce"],
    ["550 5.7.1 rejected as spam by the unknown user's filter", "bounce"],
    ["Invalid", "bounce"],
    ["COMPLAINT", "complaint"],
    ["SpamComplaint", "complaint"],
    ["spam", "complaint"],
    ["unsub", "unsubscribed"],
    ["Unsubscribed", "unsubscribed"],
    ["soft-bounce", "soft"],
    ["452 4.2.2 mailbox full", "soft"],
    ["ManualSuppression", "manual"],
    ["custom", "manual"],
    ["42", undefined],
  ])("%s is %s", (cell, reason) => {
    expect(reasonIn(cell)).toBe(reason);
  });
});
