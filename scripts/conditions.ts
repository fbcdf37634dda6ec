import { join } from "node:path";
import type { sources as Sources } from "../src/sources.ts";
import { writeWhole } from "./assets.ts";

/** Node runs source files with only the types removed. */
const read = async (): Promise<Record<string, Record<string, string>>> => {
  try {
    const { sources }: { sources: typeof Sources } = await import("../src/sources.ts");
    return Object.fromEntries(
      Object.entries(sources).map(([name, { rules }]) => [
        name,
        Object.fromEntries((rules?.rules ?? []).flatMap((rule) => (rule.when ? [[rule.name, String(rule.when)]] : []))),
      ]),
    );
  } catch {
    // The bundler reports the error next. A condition without text is shown as bundled.
    return {};
  }
};

const text = `export const conditions = ${JSON.stringify(await read(), null, 2)};\n`;
writeWhole(join(import.meta.dirname, "..", "dist", "conditions.js"), Buffer.from(text));
