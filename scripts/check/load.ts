import type { Source } from "../../src/sources.ts";
import type { Problem } from "./problem.ts";

type Sources = Readonly<Record<string, Source>>;

/** Returns a problem with file and line on failure. */
export const loadSources = async (
  load: () => Promise<{ sources: Sources; settingsOf?(all: Sources): unknown }>,
): Promise<{ sources: Sources; problems: Problem[] }> => {
  try {
    const { sources, settingsOf } = await load();
    settingsOf?.(sources);
    return { sources, problems: [] };
  } catch (error) {
    const text = error instanceof Error ? `${error.message}\n${error.stack ?? ""}` : String(error);
    const position = /src\/[\w/.-]+\.ts(?::\d+)?/.exec(text)?.[0] ?? "src/sources.ts";
    const message = `the rules cannot be loaded: ${error instanceof Error ? error.message : text}`;
    return { sources: {}, problems: [{ level: "error", first: true, source: position, message }] };
  }
};
