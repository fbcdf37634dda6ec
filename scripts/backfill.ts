import { join } from "node:path";
import { parseArgs } from "node:util";
import { nearest } from "../src/lib/util/nearest.ts";
import { duration } from "../src/rules/values/duration.ts";
import { apiVariables, handlerOf, sources } from "../src/sources.ts";
import { countsLine, noCounts } from "./backfill/counts.ts";
import { HELP } from "./backfill/help.ts";
import { type Io, run } from "./backfill/run.ts";
import { type Progress, readProgress, removeProgress, writeProgress } from "./backfill/state.ts";
import { readDevVars } from "./dev-vars.ts";

/** Ms a provider has to answer. */
const TIMEOUT = 30_000;

/** Unix ms, or null for ever. */
const sinceOf = (text: string, now: number): number | null => {
  if (text === "all") return null;
  if (/^\d+[smhd]$/.test(text)) return now - duration(text);
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) throw new Error(`--since ${text}: expected 12h, 30d, a date such as 2026-01-31, or all.`);
  if (at > now) throw new Error(`--since ${text} is in the future.`);
  return at;
};

const sourceOf = (name: string | undefined) => {
  const able = Object.keys(sources).filter((source) => sources[source] && handlerOf(sources[source]).api?.backfill);
  if (name === undefined) throw new Error(`Which source? Possible: ${able.join(", ")}. --help says more.`);
  const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
  if (!source)
    throw new Error(
      `There is no source "${name}" in src/sources.ts. Did you mean ${nearest(name, Object.keys(sources))}?`,
    );
  const { api, provider } = handlerOf(source);
  if (!api?.backfill) throw new Error(`Nothing can be read from ${provider}. Possible: ${able.join(", ")}.`);
  return { name, source, backfill: api.backfill, baseUrl: api.baseUrl };
};

/** Where to start: at the beginning, or where an interrupted run stopped. */
const startOf = (
  file: string,
  source: string,
  options: { since?: string; url?: string; events: boolean; resume: boolean },
  url: string,
): Progress => {
  const { since, events, resume } = options;
  if (!resume) {
    if (since === undefined) throw new Error("Since when? --since 30d, a date, or all.");
    return { source, url, since: sinceOf(since, Date.now()), events, kind: 0, counts: noCounts() };
  }
  if (since !== undefined || events)
    throw new Error("--resume goes on with what was given before: no --since, no --events.");
  const known = readProgress(file);
  if (!known) throw new Error(`There is no interrupted run of ${source} (${file}). Start one with --since.`);
  if (known.source !== source) throw new Error(`${file} is of a run of ${known.source}.`);
  if (options.url !== undefined && known.url !== url)
    throw new Error(`The interrupted run was for ${known.url}, not ${url}.`);
  return known;
};

const io: Io = {
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  now: () => Date.now(),
  print: (text) => console.log(process.stdout.isTTY ? `\r\x1b[K${text}` : text),
  show: (text) => {
    if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${text}`);
    else console.log(text);
  },
  save: () => {},
};

const main = async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      since: { type: "string" },
      events: { type: "boolean", default: false },
      "dry-run": { type: "boolean", default: false },
      resume: { type: "boolean", default: false },
      url: { type: "string" },
      token: { type: "string" },
      state: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const [wanted, ...rest] = positionals;
  if (rest.length > 0) throw new Error(`Unexpected: ${rest.join(" ")}. --help says what there is.`);
  const { name, source, backfill, baseUrl } = sourceOf(wanted);
  const vars: Record<string, string | undefined> = { ...readDevVars(), ...process.env };
  const dryRun = values["dry-run"];
  if (dryRun && values.resume) throw new Error("--dry-run leaves nothing to resume, and a resumed run is none.");

  const variables = apiVariables(source);
  const key = vars[variables.key]?.trim();
  if (!key)
    throw new Error(`${variables.key} is not set: a restricted key that may read ${backfill.kinds.join(" and ")}.`);
  const token = values.token ?? vars.ADMIN_TOKEN;
  if (!token) throw new Error("ADMIN_TOKEN is not set: the bridge's, in the environment, .dev.vars or --token.");
  const at = (text: string, what: string): string => {
    if (!/^https?:/.test(text) || !URL.canParse(text)) throw new Error(`${what} is not an address: ${text}`);
    return text.replace(/\/+$/, "");
  };
  const url = at(values.url ?? `http://127.0.0.1:${vars.PORT || 8787}`, "--url");
  const file = values.state ?? join(import.meta.dirname, "..", ".wrangler", "backfill", `${name}.json`);
  const progress = startOf(file, name, values, url);
  if (!values.resume && !dryRun && readProgress(file)) {
    console.log(
      `An earlier run was interrupted; --resume would go on with it. Starting anew: what is done is not done twice.`,
    );
  }
  process.on("SIGINT", () => {
    console.log(dryRun ? "\nStopped." : `\nStopped. npm run backfill -- ${name} --resume goes on.`);
    process.exit(130);
  });

  const since = progress.since === null ? "ever" : `since ${new Date(progress.since).toISOString()}`;
  io.print(`${backfill.kinds.join(" and ")} of ${name}, ${since}${dryRun ? "; nothing is changed" : ""}`);
  if (!dryRun) {
    writeProgress(file, progress);
    io.save = (next) => writeProgress(file, next);
  }
  const api = {
    key,
    baseUrl: at(vars[variables.url]?.trim() || baseUrl, variables.url),
    fetch: (address: string, init: RequestInit) =>
      fetch(address, { ...init, redirect: "manual", signal: AbortSignal.timeout(TIMEOUT) }),
    now: Date.now,
  };
  const bridge = { url: progress.url, token, source: name, events: progress.events, dryRun };
  const counts = await run(backfill, api, variables.key, bridge, progress, io);
  if (!dryRun) removeProgress(file);
  io.print(`${dryRun ? "It would be" : "Done"}: ${countsLine(counts)}.`);
  if (!dryRun && counts.contact + counts.event > 0) {
    io.print(
      "The calls leave in the lowest lane, behind everything else. GET /admin/status of the bridge says how many wait.",
    );
  }
  if (counts.failed > 0) process.exitCode = 1;
};

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
