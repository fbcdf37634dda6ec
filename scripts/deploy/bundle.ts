import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { gzipSync } from "node:zlib";
import type { Worker } from "./config.ts";
import type { Run } from "./io.ts";
import { withFolder } from "./temporary.ts";
import { saidBy } from "./wrangler.ts";

/** A Worker as it would be uploaded: sizes in bytes, and its bindings as wrangler lists them. Or why it cannot be. */
export type Bundle = { name: string } & ({ size: number; compressed: number; bindings: string } | { error: string });

/** Bundles a Worker as a deployment would, without an account and off the network, and measures what came out. */
export const bundle = (run: Run, worker: Worker): Promise<Bundle> =>
  withFolder(async (folder) => {
    const finished = await run("wrangler", ["deploy", "--dry-run", "--outdir", folder, "--config", worker.path]);
    if (finished.code !== 0) return { name: worker.name, error: saidBy(finished) };
    // Source maps and wrangler's note are no part of the Worker.
    const files = readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.map$|^README\.md$/.test(entry.name))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
    if (files.length === 0) return { name: worker.name, error: `wrangler wrote no bundle:\n${saidBy(finished)}` };
    return {
      name: worker.name,
      size: files.reduce((sum, file) => sum + file.length, 0),
      compressed: files.reduce((sum, file) => sum + gzipSync(file).length, 0),
      bindings: bindingsIn(finished.stdout),
    };
  });

/** `OUTBOX (Outbox), EMAIL (mailspan-email), 4 variables` of wrangler's table of bindings. */
const bindingsIn = (stdout: string): string => {
  const rows = [...stripVTControlCharacters(stdout).matchAll(/^env\.(\w+)(?: \((.*)\))?\s{2,}(\S.*?)\s*$/gm)];
  const variables = rows.filter(([, , , kind]) => kind === "Environment Variable").length;
  const others = rows.flatMap(([, name, value, kind]) =>
    kind === "Environment Variable" ? [] : [value ? `${name} (${value})` : `${name}`],
  );
  return [...others, ...(variables ? [`${variables} variables`] : [])].join(", ");
};
