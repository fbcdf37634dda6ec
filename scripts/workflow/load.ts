import { readFileSync } from "node:fs";

/** Reads a UTF-8 file. Errors name the line of invalid bytes. */
export const loadText = (path: string): string => {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(code === "ENOENT" ? `There is no file ${path}.` : `${path} cannot be read: ${message}`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    const before = new TextDecoder().decode(bytes).split("\ufffd")[0] ?? "";
    throw new Error(`${path}:${before.split("\n").length}: the file is not valid UTF-8. Save it as UTF-8.`);
  }
};
