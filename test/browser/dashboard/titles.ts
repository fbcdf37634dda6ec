import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const app = join(import.meta.dirname, "../../../src/dashboard/app");

/** A text of the source, also one with values in it. */
const TEXT = /"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
/** The title of an act: the label of its button follows. */
const OF_ACT = /\btitle:\s*([^\n]+(?:\n\s+[?:][^\n]+)*),\s*(?:\},\s*\.\.\.\{\s*)?label\b/g;
const OF_DIALOG = /<Dialog\b[\s\S]*?\btitle=("[^"]*"|\{[^\n]*\})/g;

/** The titles that are written in a file. */
const titlesIn = (source: string): string[] => {
  const acts = /\bAct</.test(source) || source.includes("acts/act.tsx") ? [...source.matchAll(OF_ACT)] : [];
  const texts = [...acts, ...source.matchAll(OF_DIALOG)].flatMap(([, text = ""]) => text.match(TEXT) ?? []);
  return texts.map((text) => text.slice(1, -1)).filter((text) => /[a-z]/i.test(text.replaceAll(/\$\{[^}]*\}/g, "")));
};

/** The titles of dialogs, as the source of the page has them, such as "Launch ${name}?", each with its file. */
export const titles = readdirSync(app, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .flatMap((file) => titlesIn(readFileSync(file, "utf8")).map((title) => ({ title, file: relative(app, file) })));

const escaped = (text: string): string => text.replaceAll(/[.*+?^$()|[\]\\{}]/g, "\\$&");

/** Whether a title of a row is one of these. An expression of a row says how the title begins. */
const isOf = (title: string): ((row: string | RegExp) => boolean) => {
  const parts = title.split(/\$\{[^}]*\}/);
  const whole = new RegExp(`^${parts.map(escaped).join(".*")}$`);
  const [start = ""] = parts;
  return (row) => {
    if (typeof row === "string") return whole.test(row);
    const begins = row.source.replace(/^\^/, "");
    return start !== "" && (begins.startsWith(start) || start.startsWith(begins));
  };
};

/**
 * The titles that no row of a table has: such a dialog is not tested.
 *
 * @param except titles that have no row, with the reason
 */
export const titlesWithoutRow = (
  rows: readonly (string | RegExp)[],
  except: Readonly<Record<string, string>>,
): string[] =>
  titles
    .filter(({ title }) => !rows.some(isOf(title)) && !(except[title] ?? "").trim())
    .map(({ title, file }) => `${title} (${file})`);
