import { useQuery } from "@tanstack/react-query";
import { api } from "../../../api/api.ts";
import { LATER } from "../../../api/queries.ts";

export type Launched = Awaited<ReturnType<typeof api.email.campaigns.launch>>;

/** What a launch would say now: its dry run. The message and the team can be changed elsewhere. */
export const useChecks = (team: string, campaignId: string) =>
  useQuery({
    queryKey: ["email", team, "campaign", campaignId, "checks"],
    queryFn: ({ signal }) => api.email.campaigns.launch({ team, campaignId, dryRun: true }, { signal }),
    ...LATER,
  });
