import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { namesOf, sources } from "./source.ts";

const root = join(import.meta.dirname, "..", "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const glossary = read("docs/glossary.md");

const notWords = (text: string): { word: string; use: string }[] =>
  [...text.matchAll(/^\| ([^|]+) \| [^|]* \| ([^|]+) \|$/gm)].flatMap(([, use = "", words = ""]) =>
    /^(Not|Open|yes|-+)$/.test(words.trim()) ? [] : words.split(",").map((word) => ({ word: word.trim(), use })),
  );

/** Ambiguous words: no test can find their meaning. */
const AMBIGUOUS: Readonly<Record<string, string>> = {
  webhook: "what a provider posts; it is the wrong word for an event of a contact only",
  event: "what happened to a contact, and what a webhook reports; it is the wrong word for the webhook itself",
  error: "anything that fails; it is the wrong word for an answer with a code only",
  account: "a user's account at a provider, and the account at Cloudflare",
  token: "the admin token, and the one-time tokens of a provider",
  endpoint: "an address that a provider posts to",
  attribute: "a part of a tag in LMX",
  import: "a statement of TypeScript",
  reference: "the API reference, and a field that names another object",
};

const VERBS = ["try", "tries", "mark", "hold", "held", "render"];

const EXCEPTIONS: readonly (readonly [text: string, why: string])[] = [
  ["job_name", "a field in the configuration of Prometheus"],
  ["lookup_key", "a field of Stripe's prices"],
  ["useOneOfDiscriminatorLookup", "an option of openapi-generator"],
  ["lookup key", "a field of Stripe's prices"],
  ["placeholder: initial", "an option of the library for prompts"],
  ["--mantine-color-placeholder", "a variable of the library for pages"],
  ["placeholderData", "an option of the library for queries"],
  [".cm-foldPlaceholder", "a class of the library for editors"],
];

const NAME_EXCEPTIONS: readonly (readonly [name: RegExp, file: RegExp, why: string])[] = [
  [/^Mark$/, /^dashboard\/app\/(frame|parts)\//, "the sign of Mailspan"],
  [/^marks?$/i, /^lib\/lmx\//, "an inline element of LMX, such as <Strong>, and the end of a text that is read"],
  [
    /^(held|isHeld|endHeld|holdMail|HELD|HELD_FROM|HELD_BY|HELD_ORIGINS|IS_HELD)$/,
    /^(email|lib\/contract\/admin)\//,
    "mail that its paused workflow or campaign holds",
  ],
  [
    /^(HoldReason|reasonToHold|holdCampaign)$/,
    /^email\/(workspace|policy)\/(operator\/)?campaigns\//,
    "a campaign that is paused without a person",
  ],
  [/^campaign_held$/, /^dashboard\/app\/pages\/overview\//, "a kind of the email service's attention"],
  [/^on_hold$/, /^rules\/billing\/standing\.ts$/, "a status of Dodo Payments"],
  [/^held$/, /^dashboard\/app\/pages\/workflows\//, "mail that a paused workflow holds, as its API has it"],
  [/^render$/, /^dashboard\/app\//, "a function of React"],
  [/^markInterrupted$/, /^outbox\/dispatch\/claims\.ts$/, "a verb"],
];

/** Words that two rows define, unless each row says of what: "draft (of a campaign)". */
const definedTwice = (text: string): string[] => {
  const cells = [...text.matchAll(/^\| ([^|]+) \| [^|]+ \| [^|]*\|$/gm)].map(([, cell = ""]) => cell);
  const words = cells.flatMap((cell) =>
    cell.split(",").map((word) => ({ word: word.replace(/\(.*|`/g, "").trim(), isOf: cell.includes("(of ") })),
  );
  const rowsOf = (word: string) => words.filter((other) => other.word === word);
  return [...new Set(words.map(({ word }) => word))].filter(
    (word) => !/^(Word|State|-+)$/.test(word) && rowsOf(word).length > 1 && rowsOf(word).some(({ isOf }) => !isOf),
  );
};

const apart = (text: string) =>
  text
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/_/g, " ")
    .toLowerCase();

const TEXT = /\.(ts|mjs|js|html|toml|md)$/;
const folder = (at: string) =>
  readdirSync(join(root, at), { recursive: true, encoding: "utf8" })
    .map((file) => join(at, file))
    .filter((file) => TEXT.test(file) && !/node_modules|^docs.glossary\.md$/.test(file));

const lines = [
  "README.md",
  "CONTRIBUTING.md",
  "wrangler.toml",
  ...["src", "scripts", "bench", "docs"].flatMap(folder),
].flatMap((path) =>
  read(path)
    .split("\n")
    .map((line, index) => ({ at: `${path}:${index + 1}`, line })),
);

const words = notWords(glossary).filter(({ word }) => !(word in AMBIGUOUS) && !VERBS.includes(word));
const patterns = words.map(({ word, use }) => ({ word, use, pattern: new RegExp(`\\b${word}(s|ed|ing)?\\b`) }));
const without = (line: string) => EXCEPTIONS.reduce((rest, [text]) => rest.replaceAll(text, ""), line);
const found = (line: string) => {
  const text = apart(without(line));
  return patterns.flatMap(({ word, use, pattern }) => (pattern.test(text) ? [`"${word}": use ${use}`] : []));
};

describe("the glossary's words", () => {
  it("are defined once each", () => {
    expect(definedTwice(glossary)).toEqual([]);
  });

  it("are found when two rows define them", () => {
    const slot = "| slot | the right to send one request | |";
    expect(definedTwice(`${glossary}\n| slot | a time | |\n${slot}`)).toContain("slot");
    expect(definedTwice("| draft (of a campaign) | x | |\n| draft (of a message) | y | |")).toEqual([]);
    expect(definedTwice("| draft | x | |\n| draft (of a message) | y | |")).toEqual(["draft"]);
  });

  it("stand for each thing, and no other word does", () => {
    expect(words.length).toBeGreaterThan(10);
    expect(lines.length).toBeGreaterThan(20_000);
    expect(lines.flatMap(({ at, line }) => found(line).map((one) => `${at} ${one}`))).toEqual([]);
  });

  it("are the names of things in the code", () => {
    const wrong = sources.flatMap(({ file, tree }) =>
      namesOf({ tree })
        .filter((name) =>
          apart(name)
            .split(/\W+/)
            .some((word) => VERBS.some((verb) => word === verb || word === `${verb}s`)),
        )
        .filter((name) => !NAME_EXCEPTIONS.some(([allowed, at]) => allowed.test(name) && at.test(file)))
        .map((name) => `src/${file}: ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ["const lookups = 5;", "lookup"],
    ["/** A guest's own request. */", "guest"],
    ['log("handshake_failed");', "handshake"],
    ["| 409 | `not_decided` |", "decided"],
    ["type LookUpState = {", undefined],
    ["lookup_key?: string;", undefined],
  ])("are looked for in texts: %s", (line, word) => {
    expect(found(line)).toEqual(word === undefined ? [] : [expect.stringContaining(`"${word}"`)]);
  });

  it("have exceptions only where they are needed", () => {
    const listed = notWords(glossary).map(({ word }) => word);
    expect([...Object.keys(AMBIGUOUS), ...VERBS].filter((word) => !listed.includes(word))).toEqual([]);
    expect(EXCEPTIONS.filter(([text]) => !lines.some(({ line }) => line.includes(text)))).toEqual([]);
    const used = ([name, at]: (typeof NAME_EXCEPTIONS)[number]) =>
      sources.some(({ file, tree }) => at.test(file) && namesOf({ tree }).some((one) => name.test(one)));
    expect(NAME_EXCEPTIONS.filter((one) => !used(one))).toEqual([]);
  });
});
