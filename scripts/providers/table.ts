import { describeScheme } from "../../src/lib/signature/describe.ts";
import { sources } from "../../src/sources.ts";
import type { Handler } from "../../src/webhook.ts";

type Listed = readonly { handler: Handler; file: string }[];

export const PAGE = "docs/providers.md";

const typesOf = (provider: string): string[] => {
  const rules = Object.values(sources).flatMap(({ rules }) =>
    rules?.handler.provider === provider ? rules.rules : [],
  );
  return [...new Set(rules.flatMap(({ on }) => (typeof on === "string" ? [on] : on)))];
};

const cell = (text: string) => text.replaceAll("|", "\\|");

const rulesOf = (provider: string, file: string): string => {
  const types = typesOf(provider);
  return types.length > 0 ? types.map((type) => `\`${type}\``).join(", ") : `[example](../examples/${file})`;
};

export const providerTable = (handlers: Listed): string => {
  const rows = handlers
    .toSorted((a, b) => a.handler.about.title.localeCompare(b.handler.about.title, "en"))
    .map(({ file, handler: { provider, about, scheme } }) => {
      const signed = describeScheme(scheme) + (about.unconfirmed ? " ¹" : "");
      return `| ${[`[${about.title}](../src/handlers/${file})`, signed, `\`${about.secret}\``, about.setUp, rulesOf(provider, file)].map(cell).join(" | ")} |`;
    });
  return [
    "| Provider | Proves itself by | Secret | Where to set it up | Events with rules |",
    "|---|---|---|---|---|",
    ...rows,
  ].join("\n");
};

/** Updates the table between two markers. Throws if a marker is missing. */
export const withTable = (page: string, name: "providers" | "senders", table: string): string => {
  const before = `<!-- ${name}: written by \`npm run providers\` -->`;
  const after = `<!-- /${name} -->`;
  const [start, end] = [page.indexOf(before), page.indexOf(after)];
  if (start < 0 || end < start) throw new Error(`The page has no markers for the table: ${before} … ${after}`);
  return `${page.slice(0, start + before.length)}\n\n${table}\n\n${page.slice(end)}`;
};
