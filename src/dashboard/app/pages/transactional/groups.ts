import { useQuery } from "@tanstack/react-query";
import { allPages } from "../../api/all-pages.ts";
import type { Team } from "../../team/team.tsx";

export const useGroups = (team: Team) =>
  useQuery({
    queryKey: ["v1", team.id, "transactional-groups"],
    queryFn: () => allPages((asked) => team.v1.transactionalGroups.list(asked)),
  });
