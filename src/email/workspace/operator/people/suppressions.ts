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
import { deleteSuppression, meaningOfSuppression, suppress } from "../../sending/suppression.ts";
import { addressBeginning, LAST } from "./beginning.ts";

export const SUPPRESSIONS_SLICE = 20_000;

type Filters = Pick<AdminInput<"suppressions.list">, "q" | "reason">;
type Row = { key: string; reason: string; at: number; matches: number };

/** Lists suppressed addresses. Digests of erased persons are hidden. */
export const listSuppressions = (
  { sql }: Pick<Context, "sql">,
  { q = "", reason, cursor, perPage = DEFAULT_PER_PAGE }: AdminInput<"suppressions.list">,
): Result<unknown> => {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  if (after !== undefined && typeof after !== "string") return { refusal: wrongCursor };
  if (cursor !== undefined && after === undefined) return { refusal: wrongCursor };
  const rows = look(sql, { q, reason }, after, SUPPRESSIONS_SLICE);
  const found: Row[] = [];
  let looked = 0;
  let last: string | undefined;
  for (const row of rows) {
    if (row.matches === 1 && found.length === perPage) return page(sql, found, last);
    looked += 1;
    last = row.key;
    if (row.matches === 1) found.push(row);
  }
  return page(sql, found, looked < SUPPRESSIONS_SLICE ? undefined : last);
};

const look = (sql: SqlStorage, { q = "", reason }: Filters, after: string | undefined, limit: number) => {
  const beginning = addressBeginning(q);
  return sql.exec<Row>(
    `SELECT email_key AS key, reason, at,
       ${reason === undefined ? "" : `reason = '${reason}' AND`} NOT (email_key >= 'sha256:' AND email_key < 'sha256;') AS matches
     FROM suppressions WHERE email_key ${after === undefined ? ">=" : ">"} ? AND email_key < ? ORDER BY email_key LIMIT ?`,
    after ?? beginning,
    beginning + LAST,
    limit,
  );
};

const wrongCursor: Refusal = {
  code: "invalid_request",
  path: "cursor",
  message: "cursor: not one that this list gave. Leave it out for the first page.",
};

const CAUSES: Readonly<Record<string, string>> = { bounce: "bounced", complaint: "complained" };

/** No mail to the address follows the mail that caused its suppression. */
const causeOf = (sql: SqlStorage, { key, reason, at }: Row): string | null => {
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
      sendId: causeOf(sql, row),
    })),
    next: last === undefined ? null : cursorOf(last),
  },
});

const FILE_HEAD = csvLine(["email", "reason", "since"]);
const FILE_SLICE = 1_000;
const SLICES = 10;

export const suppressionsFile = async (
  { sql }: Pick<Context, "sql">,
  { after, q, reason }: FileOperations["suppressions.file"],
): Promise<{ body: FilePiece<string> }> => {
  let text = after === "" ? FILE_HEAD : "";
  let last: string | null = after;
  const pause = createPause();
  for (let slice = 0; slice < SLICES && last !== null; slice++) {
    if (slice > 0) await pause();
    const rows: Row[] = look(sql, { q, reason }, last === "" ? undefined : last, FILE_SLICE).toArray();
    text += rows
      .filter(({ matches }) => matches === 1)
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

export const suppressions: AdminHandlers<"suppressions"> = {
  list: listSuppressions,
  add: (context, { email }) => {
    suppress(context, email, "manual");
    return { body: { success: true } };
  },
  remove: removeSuppression,
};
