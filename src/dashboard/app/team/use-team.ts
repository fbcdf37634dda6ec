import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { api } from "../api/api.ts";
import { teamOf, useAbout } from "../api/use-about.ts";
import { chosenTeam } from "./chosen.ts";

export const teamsQuery = {
  queryKey: ["email", "teams"],
  queryFn: () => api.email.teams.list({ perPage: "50" as never }),
  staleTime: 60_000,
};

/** Returns the tab's team; undefined without the email service. */
export const useTeam = (isWanted: boolean): string | undefined => {
  const { bridge, email } = useAbout();
  const { team: named } = useSearch({ strict: false }) as { team?: string };
  const { data } = useQuery({ ...teamsQuery, enabled: isWanted && email !== null });
  if (email === null) return undefined;
  return chosenTeam({ named, bridge: teamOf(bridge), known: data?.data.map(({ id }) => id) ?? [] });
};
