import type { ProblemKind } from "../../lib/contract/admin/bridge/attention.ts";

/** A problem that needs a person or time. `message` names no person. `cause`: the code of a refusal. Unix ms. */
export type Problem = {
  kind: ProblemKind;
  message: string;
  cause?: string;
  source?: string;
  count?: number;
  since?: number;
  last?: number;
};
