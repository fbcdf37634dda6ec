const KEY = "mailspan-team";

/** Keeps the team for addresses without one. */
export const rememberTeam = (team: string): void => sessionStorage.setItem(KEY, team);

/** Chooses the team: address, tab, bridge, first. The list has the newest 50 only. */
export const chosenTeam = (
  { named, bridge, known }: { named: string | undefined; bridge: string | undefined; known: readonly string[] },
  last: string | null = sessionStorage.getItem(KEY),
): string | undefined => named ?? (last !== null && known.includes(last) ? last : (bridge ?? known[0]));
