import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { useAbout } from "../../frame/about.ts";

/** What the bridge and the email service say about themselves, as far as this page reads it. */
type Halves = {
  bridge: { team?: string | null; templates?: Record<string, string>; unreachable?: string } | null;
  email: { senders?: { transactional: { sender: string | null } }; unreachable?: string } | null;
};

export const useHalves = (): Halves => useAbout() as unknown as Halves;

/** The team of the bridge, else the first one; undefined while that is read, and without the email service. */
export const useFirstTeam = (): string | undefined => {
  const { bridge, email } = useHalves();
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
