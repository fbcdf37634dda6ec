import type { Contract } from "../../lib/contract/operation.ts";
import { createKey, listKeys, revokeKey } from "./keys.ts";
import { createList, listLists, updateList } from "./lists.ts";
import { addSuppression } from "./suppressions.ts";
import { createTeam, getTeam, listTeams, updateTeam } from "./teams.ts";

/** What the operator can do, under `/admin`. Not part of the v1 API. */
export const adminContract = {
  teams: { list: listTeams, create: createTeam, get: getTeam, update: updateTeam },
  keys: { list: listKeys, create: createKey, revoke: revokeKey },
  lists: { list: listLists, create: createList, update: updateList },
  suppressions: { add: addSuppression },
} as const satisfies Contract;

export type AdminContract = typeof adminContract;
