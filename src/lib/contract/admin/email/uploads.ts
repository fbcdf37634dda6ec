import * as z from "zod";
import { resourceId } from "../../fields.ts";
import { operation } from "../../operation.ts";
import { done, team } from "./fields.ts";

export const uploads = {
  /** `uploadId`: its emailAssetId, or the name of its file at the end of the public address. */
  remove: operation({
    method: "DELETE",
    path: "/teams/{team}/uploads/{uploadId}",
    summary: "Delete an upload with its picture",
    request: z.strictObject({ team, uploadId: resourceId }),
    response: done,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", uploadId: "upl_1" },
  }),
};
