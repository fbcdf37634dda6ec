import type { Contract } from "../../lib/contract/operation.ts";
import { audience } from "./audience.ts";
import { confirmations } from "./confirmations.ts";
import { domains } from "./domains.ts";
import { imports } from "./imports/operations.ts";
import { keys } from "./keys.ts";
import { limits } from "./limits.ts";
import { lists } from "./lists.ts";
import { people } from "./people.ts";
import { sends } from "./sends.ts";
import { suppressions } from "./suppressions.ts";
import { teams } from "./teams.ts";
import { tracking } from "./tracking.ts";
import { uploads } from "./uploads.ts";
import { webhooks } from "./webhooks.ts";
import { control } from "./workflows/control.ts";
import { insight } from "./workflows/insight.ts";

/** The operator's API, under `/admin`. Not part of the v1 API. */
export const adminContract = {
  teams,
  domains,
  keys,
  limits,
  lists,
  suppressions,
  people,
  sends,
  tracking,
  uploads,
  webhooks,
  confirmations,
  audience,
  imports,
  workflows: control,
  insight,
} as const satisfies Contract;

export type AdminContract = typeof adminContract;
