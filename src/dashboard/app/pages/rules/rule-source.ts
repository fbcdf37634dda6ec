/** The text of a rule as it stands in its file. `line`: where it begins. */
type RuleSource = { file: string; line: number; text: string };

/** A rule is an object on lines of its own, and begins with its name. */
const RULE = /^( *)\{\n *name: ("(?:[^"\\\n]|\\.)*"),\n *on:[\s\S]*?\n\1\}/gm;

/** Finds the rules in the text of a file, by name. */
export const rulesIn = (file: string, text: string): Record<string, RuleSource> =>
  Object.fromEntries(
    [...text.matchAll(RULE)].map(({ 0: rule, 1: indent = "", 2: name = "", index }) => [
      JSON.parse(name) as string,
      {
        file,
        line: text.slice(0, index).split("\n").length,
        text: rule
          .split("\n")
          .map((line) => line.slice(indent.length))
          .join("\n"),
      },
    ]),
  );
