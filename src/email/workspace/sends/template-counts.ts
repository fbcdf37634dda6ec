import type { AdminContract } from "../../../lib/contract/admin/email.ts";
import type { Response } from "../../../lib/contract/operation.ts";
import type { AdminInput } from "../../types/workspace-rpc.ts";
import type { Context } from "../core/context.ts";
import type { AdminHandlers } from "../core/handler.ts";
import { changeKept, showKept } from "./kept-content.ts";

/** Returns counts by transactional email id, with zeros if no mail exists. */
const countTemplates = (
  { sql }: Pick<Context, "sql">,
  { ids }: AdminInput<"transactionalEmails.counts">,
): { body: Response<AdminContract["transactionalEmails"]["counts"]> } => {
  const data = sql
    .exec<{ id: string; sends: number; bounces: number; spamReports: number }>(
      `SELECT t.id, coalesce(c.sends, 0) AS sends, coalesce(c.hard_bounces + c.soft_bounces, 0) AS bounces,
         coalesce(c.spam_reports, 0) AS spamReports
       FROM json_each(?) j JOIN templates t ON t.id = j.value LEFT JOIN template_counts c ON c.template = t.n`,
      JSON.stringify(ids),
    )
    .toArray();
  return { body: { data } };
};

export const transactionalEmails: AdminHandlers<"transactionalEmails"> = {
  counts: countTemplates,
  kept: showKept,
  keep: changeKept,
};
