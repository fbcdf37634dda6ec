import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The recorded body of a webhook, and headers that its handler reads beyond the usual ones. */
export type Fixture = { name: string; raw: string; headers: Readonly<Record<string, string>> };

const HEADERS = ".headers.json";

const namesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith(".json") && !file.endsWith(HEADERS))
        .map((file) => file.slice(0, -".json".length))
        .sort()
    : [];

/** True if a folder has a fixture. */
export const hasFixtures = (folder: string): boolean => namesIn(folder).length > 0;

/** Names of the golden files beside the fixtures of a folder. */
export const goldensIn = (folder: string): string[] => namesIn(join(folder, "expected"));

const readHeaders = (path: string): Record<string, string> => {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Record<string, string>;
  } catch (error) {
    throw new Error(`${path} is not JSON: ${(error as Error).message}`);
  }
};

/** The fixtures of a folder: each `<case>.json`, with the headers of `<case>.headers.json` if it exists. */
export const readFixtures = (folder: string): Fixture[] =>
  namesIn(folder).map((name) => {
    const headers = join(folder, name + HEADERS);
    return {
      name,
      raw: readFileSync(join(folder, `${name}.json`), "utf8"),
      headers: existsSync(headers) ? readHeaders(headers) : {},
    };
  });
