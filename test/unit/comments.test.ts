import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { riddlesIn } from "./plain-words.ts";
import { allFilesIn } from "./source.ts";

const root = join(import.meta.dirname, "..", "..");
const FOLDERS = ["src", "scripts", "bench", "test"];

/** Sentences of more words are two sentences. */
const WORDS_PER_SENTENCE = 25;
/** First words of a comment that has no subject. */
const BEGINNING = /^(What|Whether|Has|Those|Where|That)\b/;
/** Phrases that readers of English as a second language stop at. */
const PHRASES = /\b(of now|of before|the ones of|anew|whom|whose|goes by that|is let)\b/i;

/** Comments of a TypeScript text, each in one line. */
const commentsOf = (text: string): string[] =>
  [...text.matchAll(/(?<![:"'`\\/\w@*)])(?:\/\*(?!\*?\/)[\s\S]*?\*\/|\/\/(?![/"'`]).*(?:\n\s*\/\/.*)*)/g)].map(
    ([comment]) =>
      comment
        .replace(/^\/\*+|\*+\/$/g, "")
        .replace(/(^|\n)[ \t]*(\*|\/\/)/g, "\n")
        .trim(),
  );

/** Directives of tools, and samples of code, are not sentences. */
const isDirective = (comment: string): boolean => /^(biome-|@ts-|@vite|#|@__|<reference|v8 )/.test(comment);
const prose = (comment: string): string =>
  comment
    .replace(/@example[\s\S]*$|```[\s\S]*?```/g, "")
    .replace(/@(param|throws|returns|see)\b/g, ". ")
    .replace(/`[^`]*`/g, "x")
    .replace(/https?:\S+/g, "link")
    .replace(/\s+/g, " ")
    .trim();

/** Reasons why a comment is refused. */
const faultsIn = (comment: string): string[] => {
  if (isDirective(comment)) return [];
  const text = prose(comment);
  const sentences = text.split(/(?<=[.:;!?])\s+/);
  return [
    ...sentences.flatMap((one) => (BEGINNING.test(one) ? [`begins with "${one.split(" ")[0]}": ${one}`] : [])),
    ...sentences.flatMap((one) => {
      const count = (one.match(/[A-Za-z0-9'’-]+/g) ?? []).length;
      return count > WORDS_PER_SENTENCE ? [`${count} words: ${one}`] : [];
    }),
    ...(PHRASES.exec(text) ?? []).slice(0, 1).map((phrase) => `"${phrase}": ${text}`),
    ...riddlesIn(text),
  ];
};

describe("comments", () => {
  it("begin with a noun or a verb, and have short sentences of plain words", () => {
    const files = FOLDERS.flatMap((folder) =>
      allFilesIn(join(root, folder))
        .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !/node_modules|fixtures/.test(file))
        .map((file) => join(folder, file)),
    );
    const found = files.flatMap((file) =>
      commentsOf(readFileSync(join(root, file), "utf8"))
        .flatMap(faultsIn)
        .map((fault) => `${file}: ${fault}`),
    );
    expect(files.length).toBeGreaterThan(2_000);
    expect(found).toEqual([]);
  });

  it("are read in one line and in several, and strings are not", () => {
    const text =
      '/** Sends\n * a mail. */\nconst a = "https://a.example"; // Asks once\n// more.\nf("// no");\nconst b = /\\/\\*x/;';
    expect(commentsOf(text)).toEqual(["Sends\n a mail.", "Asks once\n more."]);
  });

  it.each([
    ["What a delivery needs.", "begins with"],
    ["Returns a key. Whether it is good shows later.", "begins with"],
    [`Sends ${"very ".repeat(25)}much mail.`, "28 words"],
    ["Sessions with the role of now.", "of now"],
    ["The current role of the session's person.", undefined],
    ["biome-ignore lint/x: Where the platform needs it.", undefined],
  ])("of a forbidden shape are refused: %s", (comment, fault) => {
    expect(faultsIn(comment)).toEqual(fault === undefined ? [] : [expect.stringContaining(fault)]);
  });
});
