import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import type { Team } from "../../team/team.tsx";

export const useKnown = ({ id, v1 }: Team) =>
  useQuery({
    queryKey: ["email", id, "import-targets"],
    queryFn: async () => {
      const [properties, lists] = await Promise.all([
        v1.contactProperties.list({ list: "custom" }),
        api.email.lists.list({ team: id ?? "" }),
      ]);
      return { properties, lists: lists.data };
    },
  });
