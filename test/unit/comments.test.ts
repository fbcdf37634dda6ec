import { describe, expect, it } from "vitest";
import { riddlesIn } from "./plain-words.ts";
import { sources } from "./source.ts";

/** The comments of a TypeScript text, each in one line. */
const commentsOf = (text: string): string[] =>
  [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<![:"'`])\/\/.*(?:\n\s*\/\/.*)*/g)].map(([comment]) =>
    comment.replace(/\n\s*(\*|\/\/)/g, " ").replace(/\s+/g, " "),
  );

describe("comments in src", () => {
  it("use plain words", () => {
    const found = sources.flatMap(({ file, text }) =>
      commentsOf(text)
        .flatMap(riddlesIn)
        .map((one) => `src/${file}: ${one}`),
    );
    expect(found).toEqual([]);
  });

  it("are read in one line and in several, and strings are not", () => {
    const text =
      '/** What is under\n * way. */\nconst a = "https://nobody.example"; // Asks whoever\n// has a say.\nf("// nobody");';
    expect(commentsOf(text)).toEqual(["/** What is under way. */", "// Asks whoever has a say."]);
    expect(commentsOf(text).flatMap(riddlesIn)).toHaveLength(3);
  });
});
