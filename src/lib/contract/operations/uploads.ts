import * as z from "zod";
import { resourceId } from "../fields.ts";
import { operation } from "../operation.ts";

export const uploads = {
  /**
   * Answers an address that takes one PUT of the file, within an hour, with this Content-Type and exactly this many bytes.
   * It needs no API key. Then the upload is completed.
   */
  create: operation({
    method: "POST",
    path: "/uploads",
    summary: "Create an upload",
    request: z.strictObject({
      contentType: z.string().max(100, "must be at most 100 characters"),
      contentLength: z.int("must be a whole number of bytes").min(1, "must be at least 1"),
      // The published form does not have it, but the official command-line client sends it. A picture belongs to no message.
      emailMessageId: resourceId.optional(),
    }),
    response: z.object({ emailAssetId: z.string(), presignedUrl: z.string() }),
    status: 200,
    refusals: [400, 409, 413],
    idempotent: true,
    example: { contentType: "image/png", contentLength: 1234 },
  }),

  /** Publishes the file. Completing it again gives the same answer. */
  complete: operation({
    method: "POST",
    path: "/uploads/{emailAssetId}/complete",
    summary: "Complete an upload",
    request: z.object({ emailAssetId: resourceId }),
    response: z.object({ emailAssetId: z.string(), finalUrl: z.string() }),
    status: 200,
    refusals: [400, 404],
    body: false,
    example: { emailAssetId: "upl_1" },
  }),
};
