const KEY = "mailspan-team";

/** Keeps the team of this tab for pages whose address names none. */
export const rememberTeam = (team: string): void => sessionStorage.setItem(KEY, team);

/**
 * The team of a page: that of its address, else the last one of this tab, else that of the bridge, else the first. A team that the
 * address names is taken even if the list, which has the newest 50, lacks it.
 */
export const chosenTeam = (
  { named, bridge, known }: { named: string | undefined; bridge: string | undefined; known: readonly string[] },
  last: string | null = sessionStorage.getItem(KEY),
): string | undefined => named ?? (last !== null && known.includes(last) ? last : (bridge ?? known[0]));
