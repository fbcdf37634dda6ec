import { useQuery } from "@tanstack/react-query";
import { useAbout } from "../../api/about.ts";
import { api } from "../../api/api.ts";

/** The team of the bridge, else the first one; undefined while that is read, and without the email service. */
export const useFirstTeam = (): string | undefined => {
  const { bridge, email } = useAbout();
  const isThere = email !== null && email.unreachable === undefined;
  const named = bridge?.team ?? undefined;
  const { data } = useQuery({
    queryKey: ["email", "teams", "first"],
    queryFn: () => api.email.teams.list({}),
    enabled: isThere && named === undefined,
    staleTime: 60_000,
  });
  return isThere ? (named ?? data?.data[0]?.id) : undefined;
};
