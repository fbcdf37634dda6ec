import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { listWithFiles } from "../../scripts/providers/list.ts";
import { bridgeContract } from "../../src/lib/contract/admin/bridge.ts";
import { adminContract } from "../../src/lib/contract/admin/email.ts";
import { operationsOf } from "../../src/lib/contract/operation.ts";
import { riddlesIn } from "./plain-words.ts";

const root = join(import.meta.dirname, "..", "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

const IGNORED = /^(node_modules|dist|coverage|\.test-build|\.git|\.wrangler|\.dev\.vars)$/;
const tree = readdirSync(root, { withFileTypes: true })
  .filter(({ name }) => !IGNORED.test(name))
  .flatMap((entry) =>
    entry.isDirectory()
      ? readdirSync(join(root, entry.name), { recursive: true, withFileTypes: true })
          .filter((inner) => inner.isFile() && !inner.parentPath.includes("node_modules"))
          .map((inner) => relative(root, join(inner.parentPath, inner.name)))
      : [entry.name],
  );

type Page = { path: string; text: string };
const isPage = (path: string) => /^(README|CONTRIBUTING|CHANGELOG)\.md$|^docs\/.*\.md$/.test(path);
const pages: Page[] = tree.filter(isPage).map((path) => ({ path, text: read(path) }));
const pageOf = (path: string): Page => pages.find((page) => page.path === path) ?? { path, text: "" };

const FENCE = /^```.*?^```$/gms;
const withoutFences = (text: string) => text.replace(FENCE, "");
const spansOf = (text: string) => [...withoutFences(text).matchAll(/`([^`]+)`/g)].map(([, span]) => span ?? "");
const codeOf = (text: string) => [...spansOf(text), ...(text.match(FENCE) ?? [])];

const anchorsOf = (text: string): string[] =>
  [...withoutFences(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-"),
  );

const brokenLinks = ({ path, text }: Page): string[] =>
  [...withoutFences(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target ?? "")
    .filter((target) => !/^https?:/.test(target))
    .filter((target) => {
      const [file = "", anchor] = target.split("#");
      const to = file === "" ? path : normalize(join(dirname(path), file));
      if (to !== path && !existsSync(join(root, to))) return true;
      return anchor !== undefined && !anchorsOf(to === path ? text : read(to)).includes(anchor);
    });

const scripts = (JSON.parse(read("package.json")) as { scripts: Record<string, string> }).scripts;

const sourceOfCommand = (name: string): string => {
  const file = / ((?:scripts|bench)\/[\w-]+)\.ts/.exec(scripts[name] ?? "")?.[1];
  return tree
    .filter((path) => file !== undefined && (path === `${file}.ts` || path.startsWith(`${file}/`)))
    .map(read)
    .join("\n");
};

const unknownCommands = ({ text }: Page): string[] =>
  [...text.matchAll(/npm (?:run )?(start|test|[\w:-]+)(?: -- ([^\n`|#]*))?/g)].flatMap(
    ([whole, name = "", given = ""]) => {
      if (!whole.startsWith("npm run ") && name !== "start" && name !== "test") return [];
      if (!Object.hasOwn(scripts, name)) return [whole];
      const source = sourceOfCommand(name);
      const options = [...given.matchAll(/(?<=^|\s)--([a-z][\w-]*)/g)].map(([, option = ""]) => option);
      return options
        .filter((option) => option !== "help" && !new RegExp(`\\b${option}\\b`).test(source))
        .map((option) => `npm run ${name} -- --${option}`);
    },
  );

const top = new Set(tree.map((path) => path.split("/")[0]));
const names = new Set(tree.map((path) => basename(path)));
const EXTENSION = /^[\w.-]+\.(ts|mjs|md|toml|json|html|css|js)$/;

const isThere = (path: string): boolean => {
  if (!/[<*]/.test(path)) return existsSync(join(root, path));
  const pattern = path.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replace(/<[^>]+>|\*/g, "[^/]+");
  return tree.some((file) => new RegExp(`^${pattern}`).test(file));
};

const missingFiles = ({ text }: Page): string[] =>
  spansOf(text)
    .flatMap((span) => span.split(/\s+/))
    .filter((token) =>
      token.includes("/")
        ? top.has(token.split("/")[0] ?? "") && !isThere(token)
        : EXTENSION.test(token) && !names.has(token),
    );

const READS_VARIABLES =
  /^(vitest\.config\.ts|wrangler\.toml|\.dev\.vars\.example|src\/.*\.(ts|toml)|scripts\/.*\.(ts|mjs)|bench\/.*\.ts|test\/(system|commands|clients|faults)\/.*\.ts)$/;
const words = (text: string) => text.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*\b/g) ?? [];
const variables = new Set(tree.filter((path) => READS_VARIABLES.test(path)).flatMap((path) => words(read(path))));

const unknownVariables = ({ text }: Page): string[] =>
  codeOf(text)
    .flatMap(words)
    .filter((word) => word.length > 3 && !variables.has(word) && !text.includes(`secret: "${word}"`));

const riddles = ({ text }: Page): string[] => riddlesIn(withoutFences(text));
const formalWords = ({ text }: Page): string[] =>
  withoutFences(text).match(/\b(anew|whom|whose|hereby|thereof)\b/gi) ?? [];

const COLUMNS = 160;
const longLines = ({ text }: Page): string[] => text.split("\n").filter((line) => [...line].length > COLUMNS);

/** Most lines of a page: of the README, of CONTRIBUTING, of every other one. */
const LINES: Record<string, number> = { "README.md": 180, "CONTRIBUTING.md": 120 };
const longPages = ({ path, text }: Page): string[] => {
  const count = text.trimEnd().split("\n").length;
  const most = LINES[path] ?? 250;
  return count > most ? [`${count} lines, at most ${most}`] : [];
};

const GENERATED = /^<!-- (\w+): .*?^<!-- \/\1 -->/gms;
const NOT_PROSE = /^\s*\||^#|^!\[/;
/** Sentences outside code, tables and generated lists; a code span is one word. */
const sentencesOf = (text: string): string[] =>
  text
    .replace(GENERATED, "")
    .replace(/^\s*```.*?^\s*```$/gms, "")
    .replace(/`[^`]*`/g, "`code`")
    .split("\n")
    .map((line) => (NOT_PROSE.test(line) ? "" : line.replace(/^\s*(?:[-*]|\d+\.)\s/, "\n\n")))
    .join("\n")
    .split(/\n\s*\n/)
    .flatMap((paragraph) => paragraph.split(/(?<=[.!?][)"*]*)\s+/));

const WORDS = 30;
const longSentences = ({ text }: Page): string[] =>
  sentencesOf(text).filter((sentence) => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length > WORDS);

const checks = {
  brokenLinks,
  unknownCommands,
  missingFiles,
  unknownVariables,
  riddles,
  formalWords,
  longLines,
  longPages,
  longSentences,
};

describe("the check of the documentation", () => {
  for (const [name, check] of Object.entries(checks)) {
    it(`finds no ${name}`, () => {
      expect(pages.flatMap((page) => check(page).map((problem) => `${page.path}: ${problem}`))).toEqual([]);
    });
  }

  it("finds every planted fault", () => {
    const planted: [keyof typeof checks, string][] = [
      ["brokenLinks", "[a](docs/no-such-page.md)"],
      ["brokenLinks", "[a](docs/glossary.md#no-such-heading)"],
      ["brokenLinks", "# Here\n[a](#there)"],
      ["unknownCommands", "Run `npm run no-such-command`."],
      ["unknownCommands", "```sh\nnpm run check -- --no-such-option\n```"],
      ["missingFiles", "See `src/outbox/no-such-file.ts`."],
      ["missingFiles", "See `no-such-file.ts`."],
      ["missingFiles", "See `src/no-such-folder/<provider>.ts`."],
      ["unknownVariables", "Set `NO_SUCH_VARIABLE`."],
      ["unknownVariables", "Set `NOSUCHVARIABLE`."],
      ["unknownVariables", "```sh\nNO_SUCH_VARIABLE=1 npm start\n```"],
      ["riddles", "What is under way comes first."],
      ["riddles", "It says who is who."],
      ["formalWords", "A mail whose outcome is unknown."],
      ["longLines", `| ${"wide ".repeat(32)}|`],
      ["longPages", "line\n".repeat(181)],
      ["longSentences", `- Short. It is ${"very ".repeat(28)}long.\n- Short.`],
    ];
    for (const [name, text] of planted)
      expect([text, checks[name]({ path: "README.md", text }).length]).toEqual([text, 1]);
  });

  it("accepts correct text", () => {
    const text =
      "# A heading: `code`, and more\n[a](#a-heading-code-and-more) [b](docs/glossary.md#delivery) [c](https://example.com/x.md)\n" +
      "`npm run check -- --live` `npm start` `src/mappings/<provider>.ts` `outbox.ts` `STRIPE_WEBHOOK_SECRET` `POST /v1/x`";
    const long = `\n\n| ${"cell ".repeat(30)}|\n\n\`\`\`\n${"code ".repeat(31)}\n\`\`\`\n${"One. Two. ".repeat(15)}`;
    for (const check of Object.values(checks)) expect(check({ path: "README.md", text: text + long })).toEqual([]);
  });

  it("finds a link to every page in docs/README.md, and that one in the README", () => {
    const linked = new Set(
      [...pageOf("docs/README.md").text.matchAll(/\]\(([\w/-]+\.md)/g)].map(([, path]) => `docs/${path}`),
    );
    const inDocs = pages.map(({ path }) => path).filter((path) => /^docs\/(?!README)/.test(path));
    expect(inDocs.filter((path) => !linked.has(path))).toEqual([]);
    expect(pageOf("README.md").text).toContain("(docs/README.md)");
  });
});

const differences = (inCode: readonly string[], inDocs: readonly string[]) => ({
  undocumented: [...new Set(inCode)].filter((word) => !inDocs.includes(word)),
  gone: [...new Set(inDocs)].filter((word) => !inCode.includes(word)),
});
const SAME = { undocumented: [], gone: [] };

const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([whole, group]) => group ?? whole);
const firstCells = (text: string) => matches(text, /^\| (`[^|]*) \|/gm).flatMap((cell) => matches(cell, /`([^`]+)`/g));
const source = (folder: string) =>
  tree
    .filter((path) => path.startsWith(folder) && path.endsWith(".ts"))
    .map(read)
    .join("\n");

const firstColumns = (table: string): string[] =>
  table
    .split("\n")
    .slice(1)
    .flatMap((line) => spansOf(line.split(" | ")[0] ?? ""));

describe("the documentation lists all", () => {
  const routes = (text: string) => firstCells(text).filter((cell) => /^(GET|POST|PUT|DELETE) \/admin/.test(cell));

  it("routes of the bridge's admin API", () => {
    const inCode = operationsOf(bridgeContract).map(({ operation: { method, path } }) => `${method} /admin${path}`);
    const inDocs = routes(pageOf("docs/admin-api.md").text.split("## Search")[0] ?? "");
    expect(inCode.length).toBeGreaterThan(15);
    expect(differences(inCode, inDocs)).toEqual(SAME);
  });

  it("routes of the operator API of the email service", () => {
    const inCode = operationsOf(adminContract).map(({ operation: { method, path } }) => `${method} /admin${path}`);
    expect(differences(inCode, routes(pageOf("docs/email-admin-api.md").text))).toEqual(SAME);
  });

  it("commands of package.json", () => {
    const inCode = Object.keys(scripts).filter((name) => !name.startsWith("pre"));
    const inDocs = pages
      .filter(({ path }) => path !== "CHANGELOG.md")
      .flatMap(({ text }) => matches(text, /npm (?:run )?([\w:-]*\w)/g));
    expect(inCode.filter((name) => !inDocs.includes(name))).toEqual([]);
  });

  it("metrics", () => {
    const inCode = matches(source("src/outbox/monitor/"), /"(mailspan_\w+)"/g);
    const inDocs = firstCells(pageOf("docs/monitoring.md").text).filter((cell) => cell.startsWith("mailspan_"));
    expect(differences(inCode, inDocs)).toEqual(SAME);
  });

  it("log lines", () => {
    const deliveries = matches(source("src/"), /\b(?:log\(|failed\(c, )([^;]*?)[,)]/g);
    const inCode = deliveries.flatMap((argument) => matches(argument, /"([a-z_]+)"/g));
    const [, logs = ""] = pageOf("docs/monitoring.md").text.split("## Logs");
    expect(
      differences(
        inCode,
        firstCells(logs).filter((cell) => cell !== "event"),
      ),
    ).toEqual(SAME);
  });

  it("alerts", () => {
    const inCode = matches(source("src/outbox/monitor/"), /kind: "([a-z]+\.[a-z]+)"/g);
    const inDocs = firstCells(pageOf("docs/monitoring.md").text).filter((cell) => /^[a-z]+\.[a-z]+$/.test(cell));
    expect(differences(inCode, inDocs)).toEqual(SAME);
  });

  it("codes of refused requests of the bridge", () => {
    const inCode = matches(read("src/routes/refusal-codes.ts"), /^ {2}(\w+): \d{3},$/gm);
    const documented = [pageOf("docs/door.md"), pageOf("docs/admin-api.md")].flatMap(({ text }) => spansOf(text));
    expect(inCode.length).toBeGreaterThan(10);
    expect(inCode.filter((code) => !documented.includes(code))).toEqual([]);
  });

  it("codes that the gateway answers by itself", () => {
    const inCode = matches(read("src/routes/gateway.ts"), /code: "([a-z_]+)"/g);
    const documented = spansOf(pageOf("docs/gateway.md").text);
    expect(inCode.length).toBeGreaterThan(5);
    expect(inCode.filter((code) => !documented.includes(code))).toEqual([]);
  });

  it("words of the ledger: what a delivery waits for, and why a replay does not make it", () => {
    const operator = source("src/outbox/operator/");
    const waits = matches(operator, /\| \{ for: "(\w+)"/g);
    const notMade = matches(/type NotMade =([^;]*);/.exec(operator)?.[1] ?? "", /"([^"]+)"/g);
    const documented = spansOf(pageOf("docs/admin-api.md").text);
    expect([waits.length, notMade.length].every((count) => count > 5)).toBe(true);
    expect([...waits, ...notMade].filter((word) => !documented.includes(word))).toEqual([]);
  });

  it("promises of the README, each with its code and its test", () => {
    const promises = (text: string, heading: string) =>
      matches(text.split(`# ${heading}`)[1]?.split(/\n## /)[0] ?? "", /^\| ([A-Z][^|`]*) \|.*$/gm).slice(1);
    const promised = promises(pageOf("README.md").text, "What it promises");
    const { text } = pageOf("docs/promises.md");
    const kept = promises(text, "Where each promise is kept");
    expect(promised.length).toBeGreaterThan(10);
    expect(promised.filter((promise) => !kept.includes(promise))).toEqual([]);
    const rows = kept.map((promise) => text.split("\n").find((line) => line.startsWith(`| ${promise} |`)) ?? "");
    expect(rows.filter((row) => !/\| `src\/.*\| `test\//.test(row))).toEqual([]);
  });

  it("rooms of the Outbox and of the email Worker", () => {
    const rooms = tree.flatMap(
      (path) => /^src\/(?:outbox|email\/workspace|email)\/[\w-]+\/(?=[^/]+$)/.exec(path)?.[0] ?? [],
    );
    // A table of rooms names their folder in its head: "| Room of `src/outbox/` | Holds |".
    const documented = pageOf("docs/architecture.md")
      .text.split("\n\n")
      .flatMap((block) => {
        const at = /^\| [^|`]*`(src\/[^`]*\/)` \|/.exec(block)?.[1];
        return at ? firstColumns(block).map((name) => `${at}${name}`) : [];
      });
    expect(rooms.length).toBeGreaterThan(50);
    expect([...new Set(rooms)].filter((room) => !documented.includes(room))).toEqual([]);
    const isThere = (path: string) => existsSync(join(root, path));
    expect(documented.filter((room) => room.endsWith("/") && !isThere(room))).toEqual([]);
  });

  it("variables of configuration", async () => {
    const toml = matches(read("wrangler.toml"), /^\[?(?:vars\.)?([A-Z][A-Z_]+)\b/gm);
    const email = matches(read("src/email/wrangler.toml"), /^# {3}([A-Z][A-Z_]+)\b/gm);
    const local = matches(read(".dev.vars.example"), /^(?:# )?([A-Z][A-Z_]+)=/gm);
    const secrets = new Set((await listWithFiles()).map(({ handler }) => handler.about.secret));
    const inCode = [...toml, ...email, ...local].filter((name) => !secrets.has(name));
    const documented = ["docs/settings.md", "docs/senders.md"].flatMap((path) => firstCells(pageOf(path).text));
    expect(inCode.length).toBeGreaterThan(10);
    expect([...new Set(inCode)].filter((name) => !documented.includes(name))).toEqual([]);
  });

  it("or the test reports what is not listed, and what is listed and gone", () => {
    expect(differences(["a", "b"], ["b", "c"])).toEqual({ undocumented: ["a"], gone: ["c"] });
  });
});
