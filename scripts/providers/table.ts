import { sources } from "../../src/sources.ts";
import type { Handler } from "../../src/webhook.ts";
import { describeScheme } from "./describe.ts";

type Listed = Readonly<Record<string, { handler: Handler; file: string }>>;

const START = "<!-- providers: written by `npm run providers` -->";
const END = "<!-- /providers -->";

/** The event types that a provider's rules are on, each once: those of every source it has. */
const typesOf = (provider: string): string[] => {
  const rules = Object.values(sources).flatMap(({ rules }) =>
    rules?.handler.provider === provider ? rules.rules : [],
  );
  return [...new Set(rules.flatMap(({ on }) => (typeof on === "string" ? [on] : on)))];
};

const cell = (text: string) => text.replaceAll("|", "\\|");

/** What a provider's rules are on; of one without default rules, where its example is. */
const rulesOf = (provider: string, file: string): string => {
  const types = typesOf(provider);
  return types.length > 0 ? types.map((type) => `\`${type}\``).join(", ") : `[example](examples/${file})`;
};

/** The table of providers in Markdown, by name. */
export const providerTable = (handlers: Listed): string => {
  const rows = Object.values(handlers)
    .sort((a, b) => a.handler.about.title.localeCompare(b.handler.about.title, "en"))
    .map(({ file, handler: { provider, about, scheme } }) => {
      const signed = describeScheme(scheme) + (about.unconfirmed ? " ¹" : "");
      return `| ${[`[${about.title}](src/handlers/${file})`, signed, `\`${about.secret}\``, about.setUp, rulesOf(provider, file)].map(cell).join(" | ")} |`;
    });
  return [
    "| Provider | Proves itself by | Secret | Where to set it up | Events with rules |",
    "|---|---|---|---|---|",
    ...rows,
  ].join("\n");
};

/** A README with its table of providers up to date. Throws where the marks around it are gone. */
export const withTable = (readme: string, handlers: Listed): string => {
  const [start, end] = [readme.indexOf(START), readme.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`README.md has no place for the table: ${START} … ${END}`);
  return `${readme.slice(0, start + START.length)}\n\n${providerTable(handlers)}\n\n${readme.slice(end)}`;
};
