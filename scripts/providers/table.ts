import { describeScheme } from "../../src/lib/signature/describe.ts";
import { type Source, sources } from "../../src/sources.ts";
import type { Handler } from "../../src/webhook.ts";

type Listed = readonly { handler: Handler; file: string }[];

export const PAGE = "docs/providers.md";

type Sources = Readonly<Record<string, Pick<Source, "rules">>>;

/** Event types of each mapping over a handler, with the name of its first source. */
const mappingsOf = (provider: string, all: Sources): { source: string; types: string[] }[] => {
  const mappings = Map.groupBy(
    Object.entries(all).filter(([, { rules }]) => rules?.handler.provider === provider),
    ([, { rules }]) => rules,
  );
  return [...mappings].flatMap(([rules, [first]]) => {
    const types = (rules?.rules ?? []).flatMap(({ on }) => on);
    return first === undefined || types.length === 0 ? [] : [{ source: first[0], types: [...new Set(types)] }];
  });
};

const COLUMNS = 140;

/** List item of Markdown in lines of at most 140 columns. */
const item = (title: string, parts: readonly string[]): string => {
  const lines: string[] = [];
  let line = `- ${title}:`;
  for (const [index, part] of parts.entries()) {
    const next = index < parts.length - 1 ? `${part},` : part;
    if (line.length + 1 + next.length > COLUMNS) {
      lines.push(line);
      line = " ";
    }
    line += ` ${next}`;
  }
  return [...lines, line].join("\n");
};

const cell = (text: string) => text.replaceAll("|", "\\|");

/** Markdown of docs/providers.md: handlers, event types of each mapping, examples and signatures. */
export const providerTable = (handlers: Listed, all: Sources = sources): string => {
  const listed = handlers.toSorted((a, b) => a.handler.about.title.localeCompare(b.handler.about.title, "en"));
  const rows = listed.map(({ handler: { about } }) =>
    [about.title, `\`${about.secret}\``, about.setUp].map(cell).join(" | "),
  );
  const signed = Object.entries(Object.groupBy(listed, ({ handler }) => describeScheme(handler.scheme))).map(
    ([scheme, users = []]) =>
      item(
        scheme,
        users.map(({ handler: { about }, file }) => {
          return `[${about.title}](../src/handlers/${file})${about.unconfirmed ? " ¹" : ""}`;
        }),
      ),
  );
  const typed = listed.map(({ handler, file }) => ({ handler, file, mappings: mappingsOf(handler.provider, all) }));
  const events = typed.flatMap(({ handler, mappings }) =>
    mappings.map(({ source, types }) =>
      item(
        `**${handler.about.title}**${mappings.length > 1 ? ` (\`${source}\`)` : ""}`,
        types.map((type) => `\`${type}\``),
      ),
    ),
  );
  const examples = typed
    .filter(({ mappings }) => mappings.length === 0)
    .map(({ handler, file }) => `[${handler.about.title}](../examples/${file})`);
  return [
    ["| Provider | Secret | Where to set it up |", "|---|---|---|", ...rows.map((row) => `| ${row} |`)].join("\n"),
    ["## Events with default rules", events.join("\n")].join("\n\n"),
    ["## Examples", item("Rules to copy", examples)].join("\n\n"),
    ["## Signatures", signed.sort().join("\n")].join("\n\n"),
  ].join("\n\n");
};

/** Updates the table between two markers. Throws if a marker is missing. */
export const withTable = (page: string, name: "providers" | "senders", table: string): string => {
  const before = `<!-- ${name}: written by \`npm run providers\` -->`;
  const after = `<!-- /${name} -->`;
  const [start, end] = [page.indexOf(before), page.indexOf(after)];
  if (start < 0 || end < start) throw new Error(`The page has no markers for the table: ${before} … ${after}`);
  return `${page.slice(0, start + before.length)}\n\n${table}\n\n${page.slice(end)}`;
};
