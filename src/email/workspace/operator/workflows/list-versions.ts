import type { AdminContract } from "../../../../lib/contract/admin/email.ts";
import type { Response } from "../../../../lib/contract/operation.ts";
import { isoOf } from "../../../../lib/util/dates.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import type { Context, Result } from "../../core/context.ts";
import { keptVersions } from "../../workflows/versions.ts";
import { findWorkflow } from "../../workflows/workflow-rows.ts";

type Versions = Response<AdminContract["insight"]["versions"]>;

const MOST_VERSIONS = 100;

export const listVersions = (context: Context, { workflowId }: AdminInput<"insight.versions">): Result<Versions> => {
  const found = findWorkflow(context, workflowId);
  if ("refusal" in found) return found;
  const { n, revision: current } = found.workflow;
  const data = keptVersions(context.sql, n)
    .toReversed()
    .slice(0, MOST_VERSIONS)
    .map(({ revision, at, ran }) => ({ revision, at: isoOf(at), ran, isCurrent: revision === current }));
  return { body: { data } };
};
