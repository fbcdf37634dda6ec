import type { Refusal } from "../../../../lib/contract/errors.ts";
import { DEFAULT_PER_PAGE } from "../../../../lib/contract/pagination.ts";
import { csvLine } from "../../../../lib/util/csv-line.ts";
import { isoOf } from "../../../../lib/util/dates.ts";
import type { FileOperations, FilePiece } from "../../../types/files.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import { createPause } from "../../core/between-slices.ts";
import type { Context, Result } from "../../core/context.ts";
import { cursorOf, readCursor } from "../../core/cursor.ts";
import type { AdminHandlers } from "../../core/handler.ts";
import { destinationOf } from "../../limits/destinations.ts";
import { deleteSuppression, meaningOfSuppression, suppress } from "../../sending/suppression.ts";
import { addressBeginning, LAST } from "./beginning.ts";

export const SUPPRESSIONS_SLICE = 20_000;

type Filters = Pick<AdminInput<"suppressions.list">, "q" | "reason" | "cause" | "destination" | "since" | "until">;
type Row = { key: string; reason: string; at: number; cause: string | null; matches: boolean };

/** Lists suppressed addresses. Digests of erased persons are hidden. */
export const listSuppressions = (
  { sql }: Pick<Context, "sql">,
  { cursor, perPage = DEFAULT_PER_PAGE, ...filters }: AdminInput<"suppressions.list">,
): Result<unknown> => {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  if (after !== undefined && typeof after !== "string") return { refusal: wrongCursor };
  if (cursor !== undefined && after === undefined) return { refusal: wrongCursor };
  const rows = look(sql, filters, after, SUPPRESSIONS_SLICE);
  const found: Row[] = [];
  let looked = 0;
  let last: string | undefined;
  for (const row of rows) {
    if (row.matches && found.length === perPage) return page(sql, found, last);
    looked += 1;
    last = row.key;
    if (row.matches) found.push(row);
  }
  return page(sql, found, looked < SUPPRESSIONS_SLICE ? undefined : last);
};

/** Reads rows in the order of addresses. `matches`: the row fits the filters. */
function* look(sql: SqlStorage, filters: Filters, after: string | undefined, limit: number): Generator<Row> {
  const { q = "", destination } = filters;
  const beginning = addressBeginning(q);
  const rows = sql.exec<Omit<Row, "matches"> & { matches: number }>(
    `SELECT email_key AS key, reason, at, cause, NOT (email_key >= 'sha256:' AND email_key < 'sha256;')
       AND reason = coalesce(?4, reason) AND (?5 IS NULL OR instr(lower(coalesce(cause, '')), lower(?5)) > 0)
       AND at >= coalesce(?6, at) AND at <= coalesce(?7, at) AS matches
     FROM suppressions WHERE email_key ${after === undefined ? ">=" : ">"} ?1 AND email_key < ?2 ORDER BY email_key LIMIT ?3`,
    after ?? beginning,
    beginning + LAST,
    limit,
    filters.reason ?? null,
    filters.cause ?? null,
    filters.since ?? null,
    filters.until ?? null,
  );
  const wanted = destination?.toLowerCase();
  for (const { matches, ...row } of rows) {
    const isThere = wanted === undefined || destinationOf(row.key).toLowerCase() === wanted;
    yield { ...row, matches: matches === 1 && isThere };
  }
}

const wrongCursor: Refusal = {
  code: "invalid_request",
  path: "cursor",
  message: "cursor: not one that this list gave. Leave it out for the first page.",
};

const CAUSES: Readonly<Record<string, string>> = { bounce: "bounced", complaint: "complained" };

/** No mail to the address follows the mail that caused its suppression. */
const mailOf = (sql: SqlStorage, { key, reason, at }: Row): string | null => {
  const state = CAUSES[reason];
  if (state === undefined) return null;
  const [send] = sql
    .exec<{ id: string }>(
      "SELECT id FROM sends WHERE recipient_key = ? AND state = ? AND created_at <= ? ORDER BY n DESC LIMIT 1",
      key,
      state,
      at,
    )
    .toArray();
  return send?.id ?? null;
};

const page = (sql: SqlStorage, rows: readonly Row[], last: string | undefined) => ({
  body: {
    data: rows.map((row) => ({
      email: row.key,
      reason: row.reason,
      meaning: meaningOfSuppression(row.reason),
      since: isoOf(row.at),
      cause: row.cause,
      sendId: mailOf(sql, row),
    })),
    next: last === undefined ? null : cursorOf(last),
  },
});

const FILE_HEAD = csvLine(["email", "reason", "since"]);
const FILE_SLICE = 1_000;
const SLICES = 10;

export const suppressionsFile = async (
  { sql }: Pick<Context, "sql">,
  { after, ...filters }: FileOperations["suppressions.file"],
): Promise<{ body: FilePiece<string> }> => {
  let text = after === "" ? FILE_HEAD : "";
  let last: string | null = after;
  const pause = createPause();
  for (let slice = 0; slice < SLICES && last !== null; slice++) {
    if (slice > 0) await pause();
    const rows: Row[] = [...look(sql, filters, last === "" ? undefined : last, FILE_SLICE)];
    text += rows
      .filter(({ matches }) => matches)
      .map((row) => csvLine([row.key, row.reason, isoOf(row.at)]))
      .join("");
    last = rows.length < FILE_SLICE ? null : (rows.at(-1)?.key ?? null);
  }
  return { body: { text, last } };
};

/** Removes a suppression outside the team's quota of removals. */
const removeSuppression = (
  { sql }: Pick<Context, "sql">,
  { email }: AdminInput<"suppressions.remove">,
): Result<unknown> => {
  if (deleteSuppression(sql, email)) return { body: { success: true } };
  const message = "This address is not suppressed: there is nothing to remove.";
  return { refusal: { code: "not_found", path: "email", message } };
};

const LIFT_SLICE = 2_000;

/** Removes the suppressions of one slice that fit. Digests of erased persons stay. */
const liftSuppressions = (
  { sql }: Pick<Context, "sql">,
  { cursor, dryRun, ...filters }: AdminInput<"suppressions.lift">,
): Result<unknown> => {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  if (cursor !== undefined && typeof after !== "string") return { refusal: wrongCursor };
  const rows = [...look(sql, filters, after as string | undefined, LIFT_SLICE)];
  const fitting = rows.filter(({ matches }) => matches);
  if (!dryRun)
    sql.exec(
      "DELETE FROM suppressions WHERE email_key IN (SELECT value FROM json_each(?))",
      JSON.stringify(fitting.map(({ key }) => key)),
    );
  const last = rows.length < LIFT_SLICE ? undefined : rows.at(-1)?.key;
  return { body: { dryRun, lifted: fitting.length, next: last === undefined ? null : cursorOf(last) } };
};

export const suppressions: AdminHandlers<"suppressions"> = {
  list: listSuppressions,
  add: (context, { email }) => {
    suppress(context, email, "manual");
    return { body: { success: true } };
  },
  remove: removeSuppression,
  lift: liftSuppressions,
};
