import type { AdminContract } from "../../../../lib/contract/admin/email.ts";
import type { Response } from "../../../../lib/contract/operation.ts";
import { beforeOf, cursorAfter, DEFAULT_PER_PAGE } from "../../../../lib/contract/pagination.ts";
import { isoOf } from "../../../../lib/util/dates.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import { completedUpload, uploadNotFound } from "../../content/uploads.ts";
import type { Context, Result } from "../../core/context.ts";
import { componentsWith, messagesWith, type Usage } from "./uses.ts";

type Row = { n: number; id: string; file: string; content_type: string; size: number; completed_at: number };

export const listUploads = (
  { sql, publicUrl }: Pick<Context, "sql" | "publicUrl">,
  { cursor, perPage = DEFAULT_PER_PAGE }: AdminInput<"uploads.list">,
): Result<Response<AdminContract["uploads"]["list"]>> => {
  const before = beforeOf(cursor);
  if (typeof before !== "number") return before;
  const rows = sql
    .exec<Row>(
      `SELECT n, id, file, content_type, size, completed_at FROM uploads
       WHERE n < ? AND completed_at IS NOT NULL AND expires_at IS NULL ORDER BY n DESC LIMIT ?`,
      before,
      perPage + 1,
    )
    .toArray();
  const shown = rows.slice(0, perPage);
  const last = shown.at(-1);
  const data = shown.map(({ id, file, content_type: contentType, size: bytes, completed_at: at }) => ({
    id,
    url: `${publicUrl}/assets/${file}`,
    contentType,
    bytes,
    completedAt: isoOf(at),
  }));
  return { body: { data, next: rows.length > perPage && last ? cursorAfter(last.n) : null } };
};

/** Returns the messages and components with a picture, found by its file name. */
export const uploadUsage = (
  { sql }: Pick<Context, "sql">,
  { uploadId }: AdminInput<"uploads.usage">,
): Result<Usage> => {
  const file = completedUpload(sql, uploadId);
  if (file === undefined) return uploadNotFound(uploadId);
  const { data, total } = messagesWith(sql, "instr(r.source, ?) > 0", file);
  return { body: { data, total, components: componentsWith(sql, file) } };
};
