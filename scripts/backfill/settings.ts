import { join } from "node:path";
import type { Api } from "../../src/lib/webhook/provider.ts";
import { duration } from "../../src/rules/values/duration.ts";
import { apiVariables, handlerOf, sources } from "../../src/sources.ts";
import type { Backfill } from "../../src/webhook.ts";
import { entryOf, UsageError } from "../lib/cli.ts";
import type { Line } from "../lib/command.ts";
import type { Bridge } from "./bridge.ts";
import { noCounts } from "./counts.ts";
import { type Progress, readProgress } from "./state.ts";
import type { BACKFILL } from "./usage.ts";

export type Values = Line<typeof BACKFILL>["values"];

export type Settings = {
  backfill: Backfill;
  api: Omit<Api, "fetch" | "now">;
  keyVariable: string;
  bridge: Bridge;
  progress: Progress;
  file: string;
};

/** Checks options and variables without a request. Throws with the wrong one. */
export const settingsOf = (
  wanted: string | undefined,
  values: Values,
  vars: Readonly<Record<string, string | undefined>>,
): Settings => {
  const { name, source, backfill, baseUrl } = sourceOf(wanted);
  const dryRun = values["dry-run"];
  if (dryRun && values.resume) {
    throw new UsageError("--dry-run and --resume exclude each other: a dry run keeps no progress to resume.");
  }
  const url = addressOf(values.url ?? `http://127.0.0.1:${vars.PORT || 8787}`, "--url");
  const file = values.state ?? join(import.meta.dirname, "..", "..", ".wrangler", "backfill", `${name}.json`);
  const progress = startOf(file, name, values, url);
  const variables = apiVariables(source);
  const key = vars[variables.key]?.trim();
  if (!key) {
    throw new Error(
      `${variables.key} is not set. It must be a restricted key that can read ${backfill.kinds.join(", ")}.`,
    );
  }
  const token = vars.ADMIN_TOKEN;
  if (!token) throw new Error("ADMIN_TOKEN of the bridge is not set: write it to .dev.vars or the environment.");
  return {
    backfill,
    api: { key, baseUrl: addressOf(vars[variables.url]?.trim() || baseUrl, variables.url) },
    keyVariable: variables.key,
    bridge: { url: progress.url, token, source: name, events: progress.events, dryRun },
    progress,
    file,
  };
};

const sourceOf = (name: string | undefined) => {
  const able = Object.keys(sources).filter((source) => sources[source] && handlerOf(sources[source]).api?.backfill);
  const possible = `A backfill is possible for: ${able.join(", ")}.`;
  if (name === undefined) throw new UsageError(`Which source? ${possible} npm run backfill -- --help shows examples.`);
  const source = entryOf("source", sources, name);
  const { api, provider } = handlerOf(source);
  if (!api?.backfill) throw new UsageError(`The handler of ${provider} reads nothing from its API. ${possible}`);
  return { name, source, backfill: api.backfill, baseUrl: api.baseUrl };
};

const addressOf = (text: string, name: string): string => {
  if (!/^https?:/.test(text) || !URL.canParse(text)) throw new Error(`${name} is not an http address: ${text}`);
  return text.replace(/\/+$/, "");
};

const startOf = (file: string, source: string, values: Values, url: string): Progress => {
  const { since, events, resume } = values;
  if (!resume) {
    if (since === undefined) throw new UsageError("--since is missing: 30d, a date such as 2026-01-31, or all.");
    return { source, url, since: sinceOf(since, Date.now()), events, kind: 0, counts: noCounts() };
  }
  if (since !== undefined || events) {
    throw new UsageError("--resume continues with the options of the interrupted run: no --since, no --events.");
  }
  const known = readProgress(file);
  if (!known) throw new Error(`There is no interrupted run of ${source} (${file}). Start a run with --since.`);
  if (known.source !== source) throw new Error(`${file} belongs to a run of ${known.source}.`);
  if (values.url !== undefined && known.url !== url) {
    throw new Error(`The interrupted run was for ${known.url}, not for ${url}.`);
  }
  return known;
};

/** Unix ms; null for `all`. */
const sinceOf = (text: string, now: number): number | null => {
  if (text === "all") return null;
  if (/^\d+[smhd]$/.test(text)) return now - duration(text);
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) throw new UsageError(`--since ${text}: expected 12h, 30d, a date such as 2026-01-31, or all.`);
  if (at > now) throw new UsageError(`--since ${text} is in the future.`);
  return at;
};
