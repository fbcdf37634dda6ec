import { api } from "../../../api/api.ts";
import type { Named } from "../../../story/names.ts";
import type { Team } from "../../../team/team.tsx";
import { type Erased, type Step, untilErased } from "./erased.ts";

/** Erases a person in both halves. */
export const erase = (
  named: Named,
  team: Team,
  { dryRun, hasBridge }: { dryRun: boolean; hasBridge: boolean },
): Promise<Erased> =>
  untilErased((cursor) => (hasBridge ? atBridge(named, dryRun, cursor) : atService(named, team, dryRun)), dryRun);

const atBridge = async (named: Named, dryRun: boolean, cursor: string | undefined): Promise<Step> => {
  const answer = await api.bridge.people.erase({ ...named, cursor, dryRun, service: true });
  return { ...answer, notReached: answer.notReached ?? [] };
};

/** The email service takes a list of identifiers. */
export const listOf = (named: Named) => ("email" in named ? { emails: [named.email] } : { userIds: [named.userId] });

const atService = async (named: Named, team: Team, dryRun: boolean): Promise<Step> => {
  const answer = await api.email.people.erase({ team: team.id ?? "", ...listOf(named), dryRun });
  return { ...answer, notReached: answer.notReached ?? [], next: null };
};
