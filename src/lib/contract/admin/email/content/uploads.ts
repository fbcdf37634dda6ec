import * as z from "zod";
import { page, resourceId } from "../../../fields.ts";
import { act, read } from "../../../operation.ts";
import { done, team } from "../email-fields.ts";
import { usage } from "./use.ts";

/** `id`: the emailAssetId. */
const upload = z.strictObject({
  id: z.string(),
  url: z.string(),
  contentType: z.string(),
  bytes: z.int(),
  completedAt: z.string(),
});

export const uploads = {
  /** Completed uploads, newest first. */
  list: read("viewer", {
    path: "/teams/{team}/uploads",
    summary: "List uploaded pictures",
    request: z.strictObject({ team, ...page }),
    response: z.strictObject({ data: z.array(upload), next: z.string().nullable() }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", perPage: "20" },
  }),

  /** Mails already sent also show the picture. */
  usage: read("viewer", {
    path: "/teams/{team}/uploads/{uploadId}/usage",
    summary: "Show the messages and components that show a picture",
    request: z.strictObject({ team, uploadId: resourceId }),
    response: usage,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", uploadId: "upl_2" },
  }),

  /** `uploadId`: the emailAssetId, or the file name at the end of the public address. */
  remove: act("editor", {
    method: "DELETE",
    path: "/teams/{team}/uploads/{uploadId}",
    summary: "Delete an upload with its picture",
    danger: true,
    request: z.strictObject({ team, uploadId: resourceId }),
    response: done,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", uploadId: "upl_1" },
  }),
};
