import { describe, expect, it } from "vitest";
import { UsageError } from "../../../scripts/lib/cli.ts";
import { checkUsage, contactStep, helpOf, type Program } from "../../../scripts/lib/subcommands.ts";

const FLIGHT = { name: "flight", example: "<id>", isName: true } as const;
const SEAT = { name: "seat", example: "12A" } as const;
const AIRLINE: Program = {
  name: "airline",
  about: "Flights of an airline.",
  commands: {
    list: { words: [], options: ["json"], examples: [["", "lists the flights"]] },
    book: {
      words: [FLIGHT, SEAT],
      options: ["window", "json"],
      examples: [
        ["book LH1 12A", "books a seat"],
        ["book LH1 12A --window", "at the window"],
      ],
    },
    cancel: {
      words: [FLIGHT],
      options: ["json"],
      instead: { window: "It has no seat." },
      examples: [["cancel LH1", "cancels it"]],
    },
  },
  options: { window: ["--window", "at the window"], json: ["--json", "as JSON"], url: ["--url url", "the airline"] },
  notes: "Exit code 1 if it is full.",
};

describe("the help of a program with commands", () => {
  it("has one line for each command, and says which command an option belongs to", () => {
    expect(helpOf(AIRLINE, [])).toBe(
      `Flights of an airline.

  npm run airline                  lists the flights
  npm run airline -- book LH1 12A  books a seat
  npm run airline -- cancel LH1    cancels it

Options
  --window   with book: at the window
  --json     as JSON
  --url url  the airline
  --help     this text; after a command, that of the command

Exit code 1 if it is full.`,
    );
    expect(helpOf(AIRLINE, ["boko"])).toBe(helpOf(AIRLINE, []));
  });

  it("has all examples of a command, and its options", () => {
    const help = helpOf(AIRLINE, ["book"]);
    expect(help).toContain("npm run airline -- book LH1 12A --window  at the window");
    expect(help).toContain("  --window   at the window\n");
    expect(helpOf(AIRLINE, ["cancel"])).not.toContain("--window");
    expect(helpOf(AIRLINE, ["cancel"])).toContain("--url url  the airline");
  });
});

describe("the command line of a program with commands", () => {
  const check = (line: string, values = {}) =>
    checkUsage(AIRLINE, line.split(" ")[0] ?? "", line.split(" ").slice(1), values);

  it("is fine with the arguments and options of the command, and with those of all", () => {
    expect(check("book LH1 12A", { window: true, json: false, url: "http://x" })).toBe("book");
  });

  it.each([
    ["boko", {}, "Unknown command: boko. Did you mean book? npm run airline -- --help lists the commands."],
    ["book", {}, "Which flight? npm run airline -- book <id> 12A"],
    ["book LH1", {}, "Which seat? npm run airline -- book LH1 12A"],
    ["list", { window: true }, "--window is no option of list. It is an option of book."],
    ["cancel LH1", { window: true }, "--window is no option of cancel. It has no seat."],
    ["list LH1", {}, "Unexpected argument: LH1. list takes no argument."],
    [
      "book to Rome 12A",
      {},
      'Unexpected argument: 12A. Put a name with spaces in quotes: npm run airline -- book "to Rome" 12A',
    ],
  ])("%s with %j is refused", (line, values, message) => {
    expect(() => check(line, values)).toThrow(new UsageError(message));
  });

  it("has no contact that an address would resolve", () => {
    expect(contactStep("a/b@example.com")).toBe("a%2Fb%40example.com");
    for (const contact of ["", ".", ".."]) expect(() => contactStep(contact)).toThrow("names no contact");
  });
});
