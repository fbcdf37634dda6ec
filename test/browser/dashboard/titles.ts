import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const app = join(import.meta.dirname, "../../../src/dashboard/app");

const TEXT = /"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
const OF_ACT = /\btitle:\s*([^\n]+(?:\n\s+[?:][^\n]+)*),\s*(?:\},\s*\.\.\.\{\s*)?label\b/g;
const OF_DIALOG = /<(?:Form)?Dialog\b[\s\S]*?\btitle=("[^"]*"|\{[^\n]*\})/g;

const titlesIn = (source: string): string[] => {
  const acts = /\bAct</.test(source) || source.includes("acts/act.tsx") ? [...source.matchAll(OF_ACT)] : [];
  const texts = [...acts, ...source.matchAll(OF_DIALOG)].flatMap(([, text = ""]) => text.match(TEXT) ?? []);
  return texts.map((text) => text.slice(1, -1)).filter((text) => /[a-z]/i.test(text.replaceAll(/\$\{[^}]*\}/g, "")));
};

/** The titles of dialogs in the page's source, such as "Send ${name}?", each with its file. */
export const titles = readdirSync(app, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .flatMap((file) => titlesIn(readFileSync(file, "utf8")).map((title) => ({ title, file: relative(app, file) })));

const escaped = (text: string): string => text.replaceAll(/[.*+?^$()|[\]\\{}]/g, "\\$&");

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
 * The titles without a row in a table: such a dialog is not tested.
 *
 * @param except titles without a row, with the reason
 */
export const titlesWithoutRow = (
  rows: readonly (string | RegExp)[],
  except: Readonly<Record<string, string>>,
): string[] =>
  titles
    .filter(({ title }) => !rows.some(isOf(title)) && !(except[title] ?? "").trim())
    .map(({ title, file }) => `${title} (${file})`);
