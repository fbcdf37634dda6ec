import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { themeFaults } from "../../src/lib/lmx/check/style.ts";
import type { Component, Library } from "../../src/lib/lmx/compile.ts";
import type { LmxFile } from "../../src/lib/lmx/file.ts";
import { error, type Position, type Problem } from "../../src/lib/lmx/problem.ts";
import { nearest } from "../../src/lib/util/nearest.ts";
import type { Finding } from "./frames.ts";
import { readText, refusal } from "./read.ts";
import { isObject, positionAt, readJson } from "./values.ts";

type Styles = NonNullable<Library["themes"]>[string];
type TextFile = { path: string; text: string };

/** Themes and components beside a mail. `files`: all paths, also missing ones. `problems`: errors in the mail. */
export type Beside = {
  library: Library;
  components: Record<string, TextFile>;
  files: string[];
  findings: Finding[];
  problems: Problem[];
};

const THEME_IDS = /\bthemeId\s*=\s*["']([\w-]{1,100})["']/g;
const COMPONENT_IDS = /\bcomponentId\s*=\s*["']([\w-]{1,100})["']/g;
const idsIn = (lmx: string, pattern: RegExp): string[] => [...lmx.matchAll(pattern)].map(([, id = ""]) => id);

/** `thm_calm` is `calm.json`. */
const besideOf = (mail: string, folder: "themes" | "components", id: string): string =>
  join(dirname(mail), folder, `${id.replace(/^(?:thm|cmp)_/, "")}${folder === "themes" ? ".json" : ".lmx"}`);

/** Reads the files beside a mail. `chosen`: a replacement theme. */
export const readBeside = (
  path: string,
  shown: string,
  { fields, lmx, positions }: LmxFile,
  chosen?: string,
): Beside => {
  const own = chosen ?? fields.theme;
  const beside: Beside = { library: {}, components: {}, files: [], findings: [], problems: [] };
  const themes: Record<string, Styles> = {};
  for (const id of new Set([...(own === undefined ? [] : [own]), ...idsIn(lmx, THEME_IDS)])) {
    const styles = readTheme(besideOf(path, "themes", id), besideOf(shown, "themes", id), beside);
    if (styles !== undefined) themes[id] = styles;
    else if (id !== own) continue;
    else if (chosen === undefined) beside.problems.push(noTheme(id, positions.theme ?? { line: 1, column: 1 }, path));
    else
      beside.findings.push(
        refusal(shown, "unknown_theme", `There is no theme ${id}`, missingFix("themes", id, path)).refused,
      );
  }
  const components = readComponents(path, shown, lmx, beside);
  const defaultTheme = own !== undefined && Object.hasOwn(themes, own) ? { defaultThemeId: own } : {};
  return { ...beside, library: { themes, components, ...defaultTheme } };
};

const noTheme = (id: string, at: Position, path: string): Problem =>
  error(at, "unknown_theme", `There is no theme ${id}: ${missingFix("themes", id, path)}`);

export const missingFix = (folder: "themes" | "components", id: string, path: string): string => {
  const file = besideOf(path, folder, id);
  const like = nearest(basename(file), namesIn(dirname(file)));
  const make = `make the file ${folder}/${basename(file)} beside the mail`;
  return like === undefined ? make : `did you mean ${like.replace(/\.\w+$/, "")}? Or ${make}`;
};

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** Undefined without a file; empty for a file with errors. */
const readTheme = (path: string, shown: string, { files, findings }: Beside): Styles | undefined => {
  files.push(path);
  const read = readText(path, shown);
  if ("refused" in read && read.refused.code === "no_file") return undefined;
  const { json, text, refused } = readJson(read, shown);
  if (refused !== undefined) {
    findings.push(refused);
    return {};
  }
  if (!isObject(json) || !isObject(json.styles)) {
    const fix = 'write { "name": "…", "styles": { "bodyColor": "#ffffff" } }';
    findings.push(refusal(shown, "bad_theme", "A theme is an object with styles", fix).refused);
    return {};
  }
  const faults = themeFaults(json.styles);
  for (const { key, message } of faults) {
    const [fact = "", fix = ""] = message.split(/: (.*)/s);
    const at = Math.max(text.indexOf(JSON.stringify(key)), 0);
    findings.push({ ...refusal(shown, "bad_theme", fact, fix).refused, ...positionAt(text, at), text });
  }
  return faults.length > 0 ? {} : (json.styles as Styles);
};

const readComponents = (path: string, shown: string, lmx: string, beside: Beside): Record<string, Component> => {
  const components: Record<string, Component> = {};
  const seen = new Set<string>();
  for (let open = idsIn(lmx, COMPONENT_IDS); open.length > 0; ) {
    const fresh = [...new Set(open)].filter((id) => !seen.has(id));
    open = [];
    for (const id of fresh) {
      seen.add(id);
      const file = besideOf(path, "components", id);
      const name = besideOf(shown, "components", id);
      beside.files.push(file);
      const read = readText(file, name);
      if ("refused" in read) {
        if (read.refused.code === "no_file") continue;
        beside.findings.push(read.refused);
      }
      const text = "text" in read ? read.text : "";
      components[id] = { name: id, lmx: text };
      beside.components[id] = { path: name, text };
      open.push(...idsIn(text, COMPONENT_IDS));
    }
  }
  return components;
};
