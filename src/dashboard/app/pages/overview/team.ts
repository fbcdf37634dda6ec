import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { useAbout } from "../../api/use-about.ts";

/**
 * The bridge's team, otherwise the first. `id` is undefined during loading, on `error`, if `isNone`, or without the
 * email service.
 */
export const useFirst = (): { id: string | undefined; error: Error | null; isNone: boolean } => {
  const { bridge, email } = useAbout();
  const isThere = email !== null && email.unreachable === undefined;
  const named = bridge?.team ?? undefined;
  const { data, error } = useQuery({
    queryKey: ["email", "teams", "first"],
    queryFn: () => api.email.teams.list({}),
    enabled: isThere && named === undefined,
    staleTime: 60_000,
  });
  const id = isThere ? (named ?? data?.data[0]?.id) : undefined;
  return { id, error, isNone: isThere && data !== undefined && id === undefined };
};

export const useFirstTeam = (): string | undefined => useFirst().id;
