import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Fixture = { name: string; raw: string; headers: Readonly<Record<string, string>> };

const HEADERS = ".headers.json";

const namesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith(".json") && !file.endsWith(HEADERS))
        .map((file) => file.slice(0, -".json".length))
        .sort()
    : [];

export const hasFixtures = (folder: string): boolean => namesIn(folder).length > 0;

export const goldensIn = (folder: string): string[] => namesIn(join(folder, "expected"));

const readHeaders = (path: string): Record<string, string> => {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Record<string, string>;
  } catch (error) {
    throw new Error(`${path} is not JSON: ${(error as Error).message}`);
  }
};

/** Reads each `<case>.json`, with `<case>.headers.json` if it exists. */
export const readFixtures = (folder: string): Fixture[] =>
  namesIn(folder).map((name) => {
    const headers = join(folder, name + HEADERS);
    return {
      name,
      raw: readFileSync(join(folder, `${name}.json`), "utf8"),
      headers: existsSync(headers) ? readHeaders(headers) : {},
    };
  });
