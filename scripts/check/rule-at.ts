import { posix } from "node:path";

/** A file with its path from the root, with `/`. */
export type SourceFile = { file: string; text: string };

/** A rule as it stands in a source file; lines from 1. */
type Span = { name: string; from: number; to: number };

const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`|[A-Za-z_$][\w$]*|\n|[^\s]/g;
/** A regular expression stands where no value ends before it. */
const REGEXP = /\/(?:[^/\\\n[*]|\\.|\[(?:[^\]\\\n]|\\.)*\])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])*\/\w*/y;
const BEFORE_REGEXP = new Set([..."([{,;:=!&|?+>", "return"]);

type Token = { text: string; line: number };

const tokensOf = (text: string): Token[] => {
  const tokens: Token[] = [];
  let line = 1;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    let [found] = match;
    if (found === "/" && BEFORE_REGEXP.has(tokens.at(-1)?.text ?? "(")) {
      REGEXP.lastIndex = match.index;
      const [whole] = REGEXP.exec(text) ?? [];
      if (whole !== undefined) {
        found = whole;
        TOKEN.lastIndex = match.index + whole.length;
      }
    }
    if (found !== "\n" && !/^\/[/*]/.test(found)) tokens.push({ text: found, line });
    line += found.split("\n").length - 1;
  }
  return tokens;
};

/**
 * The rules in a source file: object literals that have both `name` and `on`. Read from the text itself, so that it works
 * on a file that does not compile.
 */
export const rulesIn = (text: string): Span[] => {
  const spans: Span[] = [];
  const open: { from: number; name?: string; on?: boolean }[] = [];
  const tokens = tokensOf(text);
  for (const [i, { text: token, line }] of tokens.entries()) {
    const here = open.at(-1);
    const isKey = tokens[i + 1]?.text === ":" && ["{", ","].includes(tokens[i - 1]?.text ?? "");
    if ("{([".includes(token)) open.push({ from: line });
    else if ("})]".includes(token)) {
      const closed = open.pop();
      if (closed?.name !== undefined && closed.on) spans.push({ name: closed.name, from: closed.from, to: line });
    } else if (here && isKey && token === "on") here.on = true;
    else if (here && isKey && token === "name") {
      const [, name] = /^["'`](.*)["'`]$/.exec(tokens[i + 2]?.text ?? "") ?? [];
      if (name !== undefined) here.name = name;
    }
  }
  return spans.sort((a, b) => a.from - b.from);
};

/** Declarations at the top of a file. */
const declarationsIn = (lines: readonly string[]): Span[] => {
  const starts = lines.flatMap((line, i) => {
    const [, name] = /^(?:export )?(?:default |const |let |function |type |async )+(\w+)/.exec(line) ?? [];
    return name === undefined ? [] : [{ name, from: i + 1 }];
  });
  const spans = starts.map(({ name, from }, i) => ({ name, from, to: (starts[i + 1]?.from ?? lines.length + 1) - 1 }));
  // `export default rules(…)` declares no name.
  return spans.filter(({ name }) => name !== "rules" && name !== "joined");
};

const mentions = (text: string, name: string) => new RegExp(`(?<![\\w$.])${name}(?![\\w$])`).test(text);

/** What of a file uses one of these names, itself or through others: declarations (with those named) and rules. */
const usersIn = (text: string, names: Iterable<string>): { reached: Set<string>; rules: string[] } => {
  const lines = text.split("\n");
  const part = ({ from, to }: Span) => lines.slice(from - 1, to).join("\n");
  const declared = declarationsIn(lines);
  const reached = new Set(names);
  // A set grows while it is walked: what uses a reached declaration is reached too.
  for (const name of reached) {
    for (const other of declared) if (mentions(part(other), name)) reached.add(other.name);
  }
  const uses = (rule: Span) => [...reached].some((name) => mentions(part(rule), name));
  return { reached, rules: rulesIn(text).flatMap((rule) => (uses(rule) ? [rule.name] : [])) };
};

const IMPORT = /^import\s+(?:type\s+)?(?:[\w$]+\s*,\s*)?\{([^}]*)\}\s+from\s+"(\.[^"]+)"/gm;

/** What a file takes from another one by name, as it calls it, where that is one of these names. */
const importedFrom = (path: string, { file, text }: SourceFile, names: ReadonlySet<string>): string[] =>
  [...text.matchAll(IMPORT)].flatMap(([, list = "", from = ""]) => {
    if (posix.join(posix.dirname(file), from) !== path) return [];
    const all = list.split(",").map((name) => name.trim().replace(/^type\s+/, ""));
    return all.flatMap((name) => {
      const [there = "", here = there] = name.split(/\s+as\s+/);
      return names.has(there) ? [here] : [];
    });
  });

/**
 * The rules that a line of a source file belongs to: the rule it stands in, else those that use, themselves or through
 * others, the function it stands in.
 * @param line from 1
 * @param others files that may take something from this one, where their rules count too
 */
export const rulesAt = ({ file, text }: SourceFile, line: number, others: readonly SourceFile[] = []): string[] => {
  const inside = ({ from, to }: Span) => from <= line && line <= to;
  const own = rulesIn(text).filter(inside).at(-1);
  if (own) return [own.name];
  const here = declarationsIn(text.split("\n")).filter(inside);
  const { reached, rules } = usersIn(
    text,
    here.map(({ name }) => name),
  );
  return [...rules, ...others.flatMap((other) => usersIn(other.text, importedFrom(file, other, reached)).rules)];
};
