import { fieldsOf } from "../../lib/audit/dry-run.ts";
import type { Operation } from "../../lib/contract/operation.ts";

/** True if a recent proof is needed, also for unreadable requests. */
export const needsProof = async ({ danger }: Operation, request: Request): Promise<boolean> => {
  if (typeof danger !== "function") return danger === true;
  const fields = await fieldsOf(request.clone());
  return fields === undefined || danger(fields);
};
