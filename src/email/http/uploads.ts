import { Hono } from "hono";
import { MAX_DRAINED } from "../../lib/contract/body.ts";
import type { Refusal } from "../../lib/contract/errors.ts";
import { answer } from "../../lib/contract/mount.ts";
import { type PictureType, readPicture } from "../../lib/picture/picture.ts";
import { log } from "../../lib/util/log.ts";
import type { Env } from "../env.ts";
import { readSignedUrl } from "./signed-url.ts";

type Wanted = { type: PictureType; size: number };

const expired: Refusal = {
  code: "upload_url_expired",
  message: "This upload URL has expired. POST /v1/uploads creates another one.",
};

const unfit = ({ headers }: Request, { type, size }: Wanted): Refusal | undefined => {
  const given = headers.get("Content-Type")?.trim().toLowerCase();
  if (given !== type || !/^identity$/i.test(headers.get("Content-Encoding") ?? "identity")) {
    const message = `The upload was created for ${type}: send exactly this Content-Type, and no Content-Encoding.`;
    return { code: "unsupported_media_type", path: "Content-Type", message };
  }
  const length = headers.get("Content-Length");
  return length === null || Number(length) === size ? undefined : wrongLength(size);
};

const wrongLength = (size: number): Refusal => ({
  code: "wrong_content_length",
  path: "Content-Length",
  message: `The upload was created for ${size} bytes. Send exactly these.`,
});

/** Reads exactly `size` bytes; undefined otherwise. Much larger bodies are aborted. */
export const readExactly = async ({ body }: Request, size: number): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  const bytes = new Uint8Array(size);
  let at = 0;
  for await (const chunk of (body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    if (at + chunk.byteLength <= size) bytes.set(chunk, at);
    at += chunk.byteLength;
    if (at > MAX_DRAINED) return undefined;
  }
  return at === size ? bytes : undefined;
};

const notSigned: Refusal = {
  code: "invalid_upload_url",
  message:
    "This is not an upload URL of this service. Use presignedUrl of POST /v1/uploads: path, type, size, expires and signature must keep their values.",
};

const gone: Refusal = {
  code: "upload_not_found",
  message: "This upload has expired. POST /v1/uploads creates another one.",
};

const used: Refusal = {
  code: "upload_url_used",
  message: "Another file was uploaded to this URL before. POST /v1/uploads creates a URL for this one.",
};

const digestOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();

/** True for a PUT that is repeated because its answer was lost. */
const isStored = async (bucket: R2Bucket, file: string, sha256: string): Promise<boolean> =>
  (await bucket.head(file))?.customMetadata?.sha256 === sha256;

/** The first file stays. True if the bucket has these bytes, also from an unanswered request. */
const store = async (bucket: R2Bucket, file: string, type: PictureType, bytes: Uint8Array<ArrayBuffer>) => {
  const sha256 = await digestOf(bytes);
  const stored = await bucket.put(file, bytes, {
    onlyIf: { etagDoesNotMatch: "*" },
    httpMetadata: { contentType: type },
    customMetadata: { sha256 },
  });
  return stored !== null || isStored(bucket, file, sha256);
};

export const noBucket: Refusal = {
  code: "uploads_not_configured",
  message: "This deployment has no bucket for uploads.",
};

const receiveSigned = async (env: Env, request: Request, team: string, id: string): Promise<Refusal | undefined> => {
  const { API_KEY_SECRET: secret } = env;
  const allowed = secret ? await readSignedUrl(request.url, { team, id }, secret) : undefined;
  if (!allowed) return notSigned;
  if (env.UPLOADS && Date.now() >= allowed.expires) return expired;
  return receive(env, request, team, id, { type: allowed.type as PictureType, size: allowed.size });
};

/** Stores an upload, or returns the refusal. Without `wanted`, the row decides. */
export const receive = async (
  env: Env,
  request: Request,
  team: string,
  id: string,
  wanted?: Wanted,
): Promise<Refusal | undefined> => {
  const { UPLOADS: bucket } = env;
  if (!bucket) return noBucket;
  const early = wanted && unfit(request, wanted);
  if (early) return early;
  const workspace = () => env.WORKSPACE.getByName(team);
  const stored = await workspace().storedUpload(id);
  if (!stored) return gone;

  const { type, size } = wanted ?? { type: stored.type as PictureType, size: stored.size };
  const misfit = unfit(request, { type, size });
  if (misfit) return misfit;
  const bytes = await readExactly(request, size);
  if (stored.arrived) return bytes && (await isStored(bucket, stored.file, await digestOf(bytes))) ? undefined : used;
  if (!bytes) return wrongLength(size);
  const picture = readPicture(type, bytes);
  if ("problem" in picture) return { code: "invalid_picture", message: picture.problem };

  const isOurs = await store(bucket, stored.file, type, bytes);
  if (!(await workspace().uploadArrived(id))) {
    await bucket.delete(stored.file);
    return gone;
  }
  if (!isOurs) return used;
  log("picture_uploaded", { team, type, bytes: size });
  return undefined;
};

/** `PUT /uploads/{team}/{id}` from `POST /v1/uploads`. Files are checked before storage. */
export const uploadRoutes = (env: Env): Hono => {
  const app = new Hono();
  app.put("/uploads/:team/:id", async (c) => {
    const refusal = await receiveSigned(env, c.req.raw, c.req.param("team"), c.req.param("id"));
    if (!refusal) return c.json({ success: true });
    // A client that is disconnected while it sends sees no answer.
    if (!c.req.raw.bodyUsed) await readExactly(c.req.raw, 0);
    return answer({ refusal });
  });
  app.all("/uploads/:team/:id", (c) => {
    const message = `${c.req.method} is not allowed here; use PUT.`;
    return answer({ refusal: { code: "method_not_allowed", message }, headers: { Allow: "PUT" } });
  });
  return app;
};
