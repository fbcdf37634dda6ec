import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { riddlesIn } from "./plain-words.ts";

const root = join(import.meta.dirname, "..", "..");
const files = ["src", "scripts", "bench", "examples"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(ts|mjs)$/.test(file) && !file.includes("node_modules"))
    .map((file) => join(folder, file)),
);

const commentsOf = (text: string): string[] =>
  [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<![:"'`])\/\/.*(?:\n\s*\/\/.*)*/g)].map(([comment]) =>
    comment.replace(/\n\s*(\*|\/\/)/g, " ").replace(/\s+/g, " "),
  );

describe("comments", () => {
  it("use plain words in src, scripts, bench and examples", () => {
    const found = files.flatMap((file) =>
      commentsOf(readFileSync(join(root, file), "utf8"))
        .flatMap(riddlesIn)
        .map((one) => `${file}: ${one}`),
    );
    expect(files.length).toBeGreaterThan(300);
    expect(found).toEqual([]);
  });

  it("are read in one line and in several, and strings are not", () => {
    const text =
      '/** What is under\n * way. */\nconst a = "https://nobody.example"; // Asks whoever\n// has a say.\nf("// nobody");';
    expect(commentsOf(text)).toEqual(["/** What is under way. */", "// Asks whoever has a say."]);
    expect(commentsOf(text).flatMap(riddlesIn)).toHaveLength(3);
  });
});
