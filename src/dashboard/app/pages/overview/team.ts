import { useQuery } from "@tanstack/react-query";
import { useAbout } from "../../api/about.ts";
import { api } from "../../api/api.ts";

/**
 * The team of the bridge, else the first one. `id`: undefined while that is read, where it cannot be read (`error`), where there is no team
 * (`isNone`), and without the email service.
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

/** The team that the overview is about, where it is known. */
export const useFirstTeam = (): string | undefined => useFirst().id;
