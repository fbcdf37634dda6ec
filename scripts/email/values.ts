import type { MessageDefaults } from "../../src/lib/lmx/message/message-source.ts";
import { UsageError } from "../lib/cli.ts";
import type { FilePosition, Finding } from "./frames.ts";
import { type Read, readText, refusal } from "./read.ts";

/** Values by full name, such as `data.name`. */
export type Values = Readonly<Record<string, string | number | boolean>>;

const NAME = /^(?:data|contact|event|system)\.[A-Za-z_][\w-]{0,99}$/;

/** Parses `--set name=value`. Throws on another form. */
export const readSettings = (settings: readonly string[]): Values =>
  Object.fromEntries(
    settings.map((setting) => {
      const at = setting.indexOf("=");
      const name = at === -1 ? setting : setting.slice(0, at);
      if (at === -1 || !NAME.test(name))
        throw new UsageError(`--set ${setting}: expected a variable and its value, such as --set data.name=Ada.`);
      return [name, setting.slice(at + 1)];
    }),
  );

/** Parses `--from "Acme <hello>"`. Throws on another form. */
export const readSender = (from: string | undefined): MessageDefaults | undefined => {
  if (from === undefined) return undefined;
  const [, fromName = "", fromEmail = ""] = /^\s*([^<>{}\s][^<>{}]*?)\s*<([^\s@<>{}]{1,64})>\s*$/.exec(from) ?? [];
  if (fromEmail === "")
    throw new UsageError(
      `--from ${from}: expected a name and the part of an address before the @, such as "Acme <hello>".`,
    );
  return { fromName, fromEmail, replyToEmail: null };
};

export type Json = { json: unknown; text: string; refused?: Finding };

export const readJson = (read: Read, shown: string): Json => {
  if ("refused" in read) return { json: undefined, text: "", refused: read.refused };
  const { text } = read;
  try {
    return { json: JSON.parse(text), text };
  } catch (error) {
    const { message } = error as Error;
    const reason = message.replace(/ in JSON at position .*/s, "").replace(/, (?:\.{3})?".*/s, "");
    const { refused } = refusal(shown, "bad_json", `The file is not JSON: ${reason}`, "correct it");
    return { json: undefined, text, refused: { ...refused, ...positionOf(message, text) } };
  }
};

/** V8 names the place in most messages. */
const positionOf = (message: string, text: string): Partial<FilePosition> => {
  const [, offset] = /at position (\d+)/.exec(message) ?? [];
  if (offset !== undefined) return { text, ...positionAt(text, Number(offset)) };
  return message.includes("end of JSON") ? { text, ...positionAt(text, text.trimEnd().length) } : {};
};

export const positionAt = (text: string, offset: number): { line: number; column: number } => {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: before.length - before.lastIndexOf("\n") };
};

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const DATA_FIX = 'write { "data": { "name": "Ada" } }';

/** Reads `{ "data": { "name": "Ada" } }` or `{ "data.name": "Ada" }`. `null` gives no value. */
export const readData = (path: string, shown: string): { values: Values; findings: Finding[] } => {
  const { json, refused } = readJson(readText(path, shown), shown);
  if (refused !== undefined) return { values: {}, findings: [refused] };
  if (!isObject(json))
    return { values: {}, findings: [refusal(shown, "bad_data", "This is no object", DATA_FIX).refused] };
  const all = Object.entries(json)
    .flatMap(([name, value]) =>
      isObject(value)
        ? Object.entries(value).map(([inner, one]) => [`${name}.${inner}`, one] as const)
        : [[name, value] as const],
    )
    .filter(([, value]) => value !== null);
  const findings = all.flatMap(([name, value]) => {
    if (!NAME.test(name)) return [refusal(shown, "bad_name", `"${name}" is no name of a variable`, DATA_FIX).refused];
    if (["string", "number", "boolean"].includes(typeof value)) return [];
    return [refusal(shown, "bad_value", `${name} is no text, number or boolean`, DATA_FIX).refused];
  });
  return { values: findings.length > 0 ? {} : (Object.fromEntries(all) as Values), findings };
};
