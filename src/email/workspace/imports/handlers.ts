import type { Refusal } from "../../../lib/contract/errors.ts";
import { pageOf } from "../../../lib/contract/pagination.ts";
import type { FileOperations, FilePiece } from "../../types/files.ts";
import type { AdminInput } from "../../types/workspace-rpc.ts";
import { type Context, wake } from "../core/context.ts";
import { readTeam } from "../team/team.ts";
import { findImport, listImports, type StoredImport } from "./import-rows.ts";
import { readSettings } from "./settings.ts";
import { detailedImport, shownImport } from "./shown-import.ts";
import { startRefusal } from "./start-refusal.ts";

type Answer = { body: unknown } | { refusal: Refusal };

/** Newest first. */
export const listAll = ({ sql, origin }: Context, input: AdminInput<"imports.list">): Answer => {
  const { total } = sql.exec<{ total: number }>("SELECT count(*) AS total FROM imports").one();
  const rows = (before: number, count: number) => listImports(sql, before, count);
  return pageOf(`${origin}/admin/teams/${readTeam(sql).slug}/imports`, input, total, rows, shownImport);
};

export const getImport = (context: Context, { importId }: AdminInput<"imports.get">): Answer => {
  const found = findImport(context.sql, importId);
  return "refusal" in found ? found : { body: detailedImport(context, found.found) };
};

/** Starts an import or dry run, and clears a previous dry-run outcome. */
export const startImport = (context: Context, input: AdminInput<"imports.start">): Answer => {
  const { sql, now } = context;
  const found = findImport(sql, input.importId);
  if ("refusal" in found) return found;
  const { n, id, state } = found.found;
  if (state !== "ready") return notReady(state);
  if (input.dryRun && sql.exec("SELECT 1 FROM import_seen WHERE import = ? LIMIT 1", n).toArray().length > 0)
    return ENDING;
  // A Worker of the previous version sends no `ignoreConsent`.
  const { team: _, importId: _id, ignoreConsent = [], ...given } = input;
  const read = readSettings(context, found.found, given);
  if ("refusal" in read) return read;
  const refusal = input.dryRun ? undefined : startRefusal(found.found, read.settings, ignoreConsent);
  if (refusal) return { refusal };
  sql.exec("DELETE FROM import_outcomes WHERE import = ?", n);
  sql.exec(
    `UPDATE imports SET state = 'running', dry_run = ?, settings = ?, cursor = 0, created = 0, updated = 0, unchanged = 0,
       refused = 0, started_at = ?, finished_at = NULL WHERE n = ?`,
    input.dryRun ? 1 : 0,
    JSON.stringify(read.settings),
    now,
    n,
  );
  wake(context, now);
  return answerOf(sql, id);
};

const ENDING: { refusal: Refusal } = {
  refusal: {
    code: "import_not_ready",
    path: "importId",
    message: "What the last dry run noted is being deleted. Start this one in a minute.",
  },
};

export const pauseImport = (context: Context, input: AdminInput<"imports.pause">): Answer =>
  setPaused(context, input, context.now);

export const resumeImport = (context: Context, input: AdminInput<"imports.resume">): Answer =>
  setPaused(context, input, null);

const setPaused = (context: Context, { importId }: AdminInput<"imports.pause">, at: number | null): Answer => {
  const { sql, now } = context;
  const found = findImport(sql, importId);
  if ("refusal" in found) return found;
  const { n, id, state, settings } = found.found;
  if (state !== "running") return notReady(state);
  const isPaused = settings?.pausedAt !== undefined;
  // A second pause keeps the first time.
  if (isPaused !== (at !== null)) {
    sql.exec(
      `UPDATE imports SET settings = ${at === null ? "json_remove(settings, '$.pausedAt')" : "json_set(settings, '$.pausedAt', ?2)"}
       WHERE n = ?1`,
      ...(at === null ? [n] : [n, at]),
    );
    wake(context, now);
  }
  return answerOf(sql, id);
};

const notReady = (state: StoredImport["state"]): { refusal: Refusal } => {
  const why = {
    uploading: "Its file is not complete.",
    ready: "It was not started.",
    running: "It is running.",
    done: "It is done. Upload the file again for another import.",
    cancelled: "It was cancelled. Upload the file again for another import.",
  }[state];
  return { refusal: { code: "import_not_ready", path: "importId", message: `The import cannot do this now. ${why}` } };
};

/** Cancels an import. Imported rows stay; a chore deletes the rest. */
export const cancelImport = (context: Context, { importId }: AdminInput<"imports.cancel">): Answer => {
  const { sql, now } = context;
  const found = findImport(sql, importId);
  if ("refusal" in found) return found;
  const { n, id, state } = found.found;
  if (state === "done") return notReady(state);
  if (state === "cancelled") return { body: shownImport(found.found) };
  sql.exec("UPDATE imports SET state = 'cancelled', preview = NULL, finished_at = ? WHERE n = ?", now, n);
  wake(context, now);
  return answerOf(sql, id);
};

const answerOf = (sql: SqlStorage, id: string): Answer => {
  const found = findImport(sql, id);
  return "refusal" in found ? found : { body: shownImport(found.found) };
};

/** Cells of an outcome file have no line breaks. */
const REFUSED = /^\d+,\d+,refused,/;

/** Batches per piece: up to about a megabyte. */
const BATCHES = 100;

/** Next lines of an outcome file, also of a running import. */
export const readOutcome = (
  { sql }: Context,
  { importId, after, outcome }: FileOperations["imports.outcomeFile"],
): Answer => {
  const found = findImport(sql, importId);
  if ("refusal" in found) return found;
  const rows = sql
    .exec<{ k: number; lines: string }>(
      "SELECT k, lines FROM import_outcomes WHERE import = ? AND k > ? ORDER BY k LIMIT ?",
      found.found.n,
      after,
      BATCHES,
    )
    .toArray();
  const text = rows.map(({ lines }) => lines).join("");
  const piece: FilePiece = {
    text:
      outcome === undefined
        ? text
        : linesOf(text)
            .filter((line) => REFUSED.test(line))
            .join(""),
    last: rows.length < BATCHES ? null : (rows.at(-1)?.k ?? null),
  };
  return { body: piece };
};

const linesOf = (text: string): string[] => text.match(/.*\r\n/g) ?? [];
