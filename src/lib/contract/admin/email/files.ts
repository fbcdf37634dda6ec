import * as z from "zod";
import { resourceId } from "../../fields.ts";
import { act, type Contract, read } from "../../operation.ts";
import { recipientFilters } from "./campaigns/statistics.ts";
import { done, team } from "./email-fields.ts";
import { suppressionFilters } from "./people/suppressions.ts";

const picture = z.strictObject({ team, uploadId: resourceId });
const pictureFile = "/teams/{team}/uploads/{uploadId}/file";
const csv = { response: z.string(), status: 200, refusals: [400, 404], text: true } as const;

/** Operations under `/admin` that answer with a file, or take one. */
export const fileContract = {
  suppressions: {
    file: read("editor", {
      path: "/teams/{team}/suppressions.csv",
      summary: "Download the suppressed addresses of a team",
      request: z.strictObject({ team, ...suppressionFilters }),
      ...csv,
      example: { team: "acme" },
    }),
  },
  imports: {
    outcomeFile: read("editor", {
      path: "/teams/{team}/imports/{importId}/outcome.csv",
      summary: "Get the outcome of each row",
      request: z.strictObject({
        team,
        importId: resourceId,
        outcome: z.enum(["refused"], 'must be "refused"').optional(),
      }),
      ...csv,
      example: { team: "acme", importId: "imp_1", outcome: "refused" },
    }),
  },
  campaigns: {
    recipientsFile: read("editor", {
      path: "/teams/{team}/campaigns/{campaignId}/recipients.csv",
      summary: "Download the recipients of a campaign",
      request: z.strictObject({ team, campaignId: resourceId, ...recipientFilters }),
      ...csv,
      example: { team: "acme", campaignId: "cmp_4", group: "opened" },
    }),
  },
  uploads: {
    file: read("viewer", {
      path: pictureFile,
      summary: "Get the picture of an upload",
      request: picture,
      response: z.string(),
      status: 200,
      refusals: [400, 404],
      example: { team: "acme", uploadId: "upl_1" },
    }),
    putFile: act("editor", {
      method: "PUT",
      path: pictureFile,
      summary: "Store the picture of an upload",
      danger: false,
      request: picture,
      response: done,
      status: 200,
      refusals: [400, 404, 413],
      example: { team: "acme", uploadId: "upl_1" },
    }),
  },
} as const satisfies Contract;

export type FileContract = typeof fileContract;
