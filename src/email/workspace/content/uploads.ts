import type { Refusal } from "../../../lib/contract/errors.ts";
import { MAX_UPLOAD_BYTES } from "../../../lib/contract/operations/uploads.ts";
import { extensionOf, isPictureType, pictureTypes } from "../../../lib/picture/picture.ts";
import { DAY_MS, HOUR_MS, isoOf } from "../../../lib/util/dates.ts";
import { log } from "../../../lib/util/log.ts";
import type { StoredUpload } from "../../types/workspace-rpc.ts";
import { firstTime } from "../core/chore.ts";
import { type Context, type Result, wake } from "../core/context.ts";
import type { Handlers } from "../core/handler.ts";
import { nextNumber } from "../core/numbers.ts";

/** Per window, and for pending uploads. */
const MAX_UPLOADS = 50;
const WINDOW_MS = DAY_MS;
const URL_MS = HOUR_MS;
/** Longer than its address, because a PUT may be in flight. */
const WAITING_MS = 2 * HOUR_MS;
/** Retention of uncompleted files. After a refused completion, the window is free by then. */
const ARRIVED_MS = DAY_MS;
/** In ms. */
const PAUSE_MS = 60_000;
/** R2 deletes at most 1,000 files at once. */
const SLICE = 500;

type Row = {
  id: string;
  file: string;
  content_type: string;
  size: number;
  arrived_at: number | null;
  completed_at: number | null;
};

const find = ({ sql, now }: Pick<Context, "sql" | "now">, id: string): Row | undefined =>
  sql
    .exec<Row>(
      "SELECT id, file, content_type, size, arrived_at, completed_at FROM uploads WHERE id = ? AND (expires_at IS NULL OR expires_at > ?)",
      id,
      now,
    )
    .toArray()[0];

const countTimes = (sql: SqlStorage, column: "expires_at" | "completed_at", after: number) =>
  sql
    .exec<{ count: number; first: number | null }>(
      `SELECT count(*) AS count, min(${column}) AS first FROM uploads WHERE ${column} > ?`,
      after,
    )
    .one();

const notConfigured: Refusal = {
  code: "uploads_not_configured",
  message:
    "This deployment has no bucket for uploads. Its operator can add one: run npm run deploy and answer yes to the bucket.",
};

const notFound = (id: string): { refusal: Refusal } => {
  const message = `There is no upload with the id "${id}". It may have expired. POST /v1/uploads creates one.`;
  return { refusal: { code: "upload_not_found", path: "emailAssetId", message } };
};

const detail = { supportedContentTypes: pictureTypes, maxBytes: MAX_UPLOAD_BYTES };

const wrongType: Refusal = {
  code: "unsupported_picture_type",
  path: "contentType",
  message: `contentType: must be one of ${pictureTypes.join(", ")}.`,
  detail,
};

const tooLarge: Refusal = {
  code: "upload_too_large",
  path: "contentLength",
  message: `contentLength: must be at most ${MAX_UPLOAD_BYTES} bytes.`,
  detail,
};

export const uploads: Handlers<"uploads"> = {
  create(context, { contentType: given, contentLength: size }) {
    const { sql, now, id: newId, origin, hasBucket } = context;
    if (!hasBucket) return { refusal: notConfigured };
    const type = given.trim().toLowerCase();
    if (!isPictureType(type)) return { refusal: wrongType };
    if (size > MAX_UPLOAD_BYTES) return { refusal: tooLarge };
    const pending = countTimes(sql, "expires_at", now);
    if (pending.count >= MAX_UPLOADS) {
      const until = isoOf(pending.first ?? now);
      const message = `${MAX_UPLOADS} uploads are not completed. Complete one, or wait until the first expires, at ${until}.`;
      return { refusal: { code: "too_many_pending_uploads", message } };
    }
    const id = newId("upl");
    sql.exec(
      "INSERT INTO uploads (n, id, file, content_type, size, expires_at) VALUES (?, ?, ?, ?, ?, ?)",
      nextNumber(sql, "uploads", now),
      id,
      `${newId("pic")}.${extensionOf(type)}`,
      type,
      size,
      now + WAITING_MS,
    );
    wake(context, now + WAITING_MS);
    const { slug } = sql.exec<{ slug: string }>("SELECT slug FROM team").one();
    const query = new URLSearchParams({ type, size: `${size}`, expires: `${now + URL_MS}` });
    return { body: { emailAssetId: id, presignedUrl: `${origin}/uploads/${slug}/${id}?${query}` } };
  },

  complete(context, { emailAssetId: id }) {
    const { sql, now, publicUrl, hasBucket } = context;
    if (!hasBucket) return { refusal: notConfigured };
    const row = find(context, id);
    if (!row) return notFound(id);
    if (row.completed_at === null) {
      if (row.arrived_at === null) {
        const message = "The file has not arrived. PUT it to presignedUrl, then complete the upload.";
        return { refusal: { code: "upload_not_arrived", path: "emailAssetId", message } };
      }
      const recent = countTimes(sql, "completed_at", now - WINDOW_MS);
      if (recent.count >= MAX_UPLOADS) return { refusal: limitReached((recent.first ?? now) + WINDOW_MS) };
      sql.exec("UPDATE uploads SET completed_at = ?, expires_at = NULL WHERE id = ?", now, id);
    }
    return { body: { emailAssetId: id, finalUrl: `${publicUrl}/assets/${row.file}` } };
  },
};

/** `until`: Unix ms. */
const limitReached = (until: number): Refusal => {
  const windowHours = WINDOW_MS / HOUR_MS;
  const message = `The team has completed ${MAX_UPLOADS} uploads in ${windowHours} hours. Complete this one after ${isoOf(until)}.`;
  return { code: "upload_limit_reached", message, detail: { maxUploads: MAX_UPLOADS, windowHours } };
};

export const uploadNotFound = (id: string): { refusal: Refusal } => {
  const message = `There is no upload with the id or file name "${id}".`;
  return { refusal: { code: "upload_not_found", path: "uploadId", message } };
};

/** Accepts an id or file name. The alarm deletes the file; caches may keep the picture. */
export const removeUpload = (context: Context, { uploadId }: { uploadId: string }): Result<{ success: true }> => {
  const { sql, now } = context;
  const [row] = sql
    .exec<{ n: number }>(
      "SELECT n FROM uploads WHERE (id = ? OR file = ?) AND (expires_at IS NULL OR expires_at > ?)",
      uploadId,
      uploadId,
      now,
    )
    .toArray();
  if (!row) return uploadNotFound(uploadId);
  sql.exec("UPDATE uploads SET expires_at = ? WHERE n = ?", now, row.n);
  wake(context, now);
  return { body: { success: true } };
};

/** File name of a completed upload, by id or file name. */
export const completedUpload = (sql: SqlStorage, id: string): string | undefined =>
  sql
    .exec<{ file: string }>(
      "SELECT file FROM uploads WHERE (id = ?1 OR file = ?1) AND completed_at IS NOT NULL AND expires_at IS NULL",
      id,
    )
    .toArray()[0]?.file;

export const storedUpload = (sql: SqlStorage, now: number, id: string): StoredUpload | undefined => {
  const row = find({ sql, now }, id);
  return row && { file: row.file, type: row.content_type, size: row.size, arrived: row.arrived_at !== null };
};

/** If false, the upload has expired and the caller deletes the file. */
export const uploadArrived = (sql: SqlStorage, now: number, id: string): boolean => {
  const row = find({ sql, now }, id);
  if (!row) return false;
  if (row.arrived_at === null)
    sql.exec("UPDATE uploads SET arrived_at = ?, expires_at = ? WHERE id = ?", now, now + ARRIVED_MS, id);
  return true;
};

/** First expiry in Unix ms; infinity if none. */
export const nextExpiry = (sql: SqlStorage): number =>
  firstTime(sql, "SELECT min(expires_at) AS at FROM uploads WHERE expires_at IS NOT NULL");

/**
 * Deletes expired uploads, files first, so a crash leaves no file without a row. Never throws.
 *
 * @returns next due time, in Unix ms
 */
export const expireUploads = async (
  sql: SqlStorage,
  bucket: Pick<R2Bucket, "delete">,
  now: number,
): Promise<number> => {
  const expired = sql
    .exec<{ n: number; file: string }>("SELECT n, file FROM uploads WHERE expires_at <= ? LIMIT ?", now, SLICE)
    .toArray();
  if (expired.length === 0) return nextExpiry(sql);
  try {
    await bucket.delete(expired.map(({ file }) => file));
    sql.exec(
      "DELETE FROM uploads WHERE n IN (SELECT value FROM json_each(?))",
      JSON.stringify(expired.map(({ n }) => n)),
    );
  } catch (error) {
    log("uploads_not_expired", { error: error instanceof Error ? error.message : String(error) });
  }
  return Math.max(nextExpiry(sql), now + PAUSE_MS);
};
