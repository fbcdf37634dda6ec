import * as z from "zod";
import { resourceId } from "../fields.ts";
import { act } from "../operation.ts";

/** Largest picture. */
export const MAX_UPLOAD_BYTES = 4_000_000;

const PICTURES = ["image/jpeg", "image/png", "image/gif", "image/webp"] as const;
type PictureType = (typeof PICTURES)[number];
/** A string of the form, because another type has a refusal of its own. */
const pictureType = z
  .string()
  .max(100, "must be at most 100 characters")
  .meta({ enum: [...PICTURES] }) as unknown as z.ZodType<PictureType, PictureType>;

export const uploads = {
  /** Returns a URL for one PUT within an hour, with exactly this Content-Type and size. The URL needs no API key. */
  create: act("editor", {
    method: "POST",
    path: "/uploads",
    summary: "Create an upload",
    danger: false,
    request: z.strictObject({
      contentType: pictureType,
      contentLength: z
        .int("must be a whole number of bytes")
        .min(1, "must be at least 1")
        .meta({ maximum: MAX_UPLOAD_BYTES }),
      // Not in the published form, but the official command-line client sends it.
      emailMessageId: resourceId.optional(),
    }),
    response: z.object({ emailAssetId: z.string(), presignedUrl: z.string() }),
    status: 200,
    refusals: [400, 409, 413],
    idempotent: true,
    example: { contentType: "image/png", contentLength: 1234 },
  }),

  /** Publishes the file. Repeating gives the same answer. */
  complete: act("editor", {
    method: "POST",
    path: "/uploads/{emailAssetId}/complete",
    summary: "Complete an upload",
    danger: false,
    request: z.object({ emailAssetId: resourceId }),
    response: z.object({ emailAssetId: z.string(), finalUrl: z.string() }),
    status: 200,
    refusals: [400, 404],
    body: false,
    example: { emailAssetId: "upl_1" },
  }),
};
