import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { nearest } from "../../src/lib/util/nearest.ts";
import type { Finding } from "./frames.ts";

/** 100 KB of LMX, plus front matter. */
const MAX_BYTES = 200 * 1024;

export type Read = { text: string } | { refused: Finding };

export const refusal = (path: string, code: string, message: string, fix: string): { refused: Finding } => ({
  refused: { path, text: "", line: 1, column: 1, severity: "error", code, message, fix },
});

/** Reads a text file. Never throws. */
export const readText = (path: string, shown: string): Read => {
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) {
      const fix = `name a file in it, or check all: npm run email -- --check ${shown}`;
      return refusal(shown, "is_folder", "This is a folder", fix);
    }
    if (!stats.isFile()) return refusal(shown, "not_a_file", "This is not a regular file", "name an .lmx file");
    if (stats.size > MAX_BYTES) {
      const size = `${Math.ceil(stats.size / 1024)} KB`;
      return refusal(shown, "too_large", `The file has ${size}`, "a mail has at most 100 KB of LMX: shorten it");
    }
    return decode(readFileSync(path), shown);
  } catch (error) {
    return unreadable(path, shown, error as NodeJS.ErrnoException);
  }
};

const unreadable = (path: string, shown: string, { code, message }: NodeJS.ErrnoException): Read => {
  if (code !== "ENOENT" && code !== "ENOTDIR")
    return refusal(shown, "unreadable", `The file cannot be read (${code ?? message})`, "give yourself access to it");
  const like = nearest(basename(path), namesBeside(path));
  return refusal(
    shown,
    "no_file",
    "There is no such file",
    like === undefined ? "correct the path" : `did you mean ${like}?`,
  );
};

const namesBeside = (path: string): string[] => {
  try {
    return readdirSync(dirname(path));
  } catch {
    return [];
  }
};

/** Editors do not count the byte order mark as a column. */
const decode = (bytes: Buffer, shown: string): Read => {
  const text = bytes.toString("utf8");
  const again = Buffer.from(text, "utf8");
  if (!again.equals(bytes)) {
    const at = bytes.findIndex((byte, i) => byte !== again[i]);
    const before = bytes.subarray(0, at).toString("utf8");
    const line = before.split("\n").length;
    const column = before.length - before.lastIndexOf("\n");
    const { refused } = refusal(shown, "not_utf8", "The file is not UTF-8 here", "save it with the encoding UTF-8");
    return { refused: { ...refused, line, column } };
  }
  if (text.trim() === "")
    return refusal(shown, "empty_file", "The file is empty", "write LMX, such as <Paragraph>Hello</Paragraph>");
  return { text: text.replace(/^\ufeff/, "") };
};
