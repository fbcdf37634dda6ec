import { useIsMutating, useQuery } from "@tanstack/react-query";
import { api } from "../../../api/api.ts";
import { LATER } from "../../../api/queries.ts";

export type Launched = Awaited<ReturnType<typeof api.email.campaigns.launch>>;

/**
 * What a launch would say now: its dry run. The message and the team can be changed elsewhere. It is not asked while an act runs: after a launch, the
 * service would refuse it until the page knows that the campaign is no draft.
 */
export const useChecks = (team: string, campaignId: string) =>
  useQuery({
    queryKey: ["email", team, "campaign", campaignId, "checks"],
    queryFn: ({ signal }) => api.email.campaigns.launch({ team, campaignId, dryRun: true }, { signal }),
    enabled: useIsMutating() === 0,
    ...LATER,
  });
