import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { LIVE } from "../../api/queries.ts";

export const useSends = (team: string | undefined) =>
  useQuery({
    queryKey: ["email", team, "overview"],
    queryFn: ({ signal }) => api.email.overview.get({ team: team ?? "" }, { signal }),
    enabled: team !== undefined,
    ...LIVE,
  });
