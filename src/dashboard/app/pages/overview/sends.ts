import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { LATER } from "../../api/queries.ts";

/** The last 24 hours of a team's mails, and what needs a person there. */
export const useSends = (team: string | undefined) =>
  useQuery({
    queryKey: ["email", team, "overview"],
    queryFn: ({ signal }) => api.email.overview.get({ team: team ?? "" }, { signal }),
    enabled: team !== undefined,
    ...LATER,
  });
