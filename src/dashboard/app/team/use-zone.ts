import { useQuery } from "@tanstack/react-query";
import { api } from "../api/api.ts";
import { useAbout } from "../api/use-about.ts";
import { ownZone } from "../parts/time.ts";
import { useTeam } from "./use-team.ts";

/** Returns the time zone of a team, by default the page's; the browser's without one and until it is known. */
export const useZone = (given?: string): string => {
  const { email } = useAbout();
  const isThere = email !== null && email.unreachable === undefined;
  const chosen = useTeam(isThere && given === undefined);
  const team = given ?? chosen;
  const { data } = useQuery({
    queryKey: ["email", team, "zone"],
    queryFn: async () => (await api.email.teams.get({ team: team ?? "" })).timeZone,
    enabled: isThere && team !== undefined,
    staleTime: 60_000,
  });
  return data ?? ownZone();
};
