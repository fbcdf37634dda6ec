import { useIsMutating, useQuery } from "@tanstack/react-query";
import { api } from "../../../api/api.ts";
import { LATER } from "../../../api/queries.ts";

export type Launched = Awaited<ReturnType<typeof api.email.campaigns.launch>>;

/** Dry run of the launch. Paused during an action, because the service refuses it after a launch. */
export const useChecks = (team: string, campaignId: string) =>
  useQuery({
    queryKey: ["email", team, "campaign", campaignId, "checks"],
    queryFn: ({ signal }) => api.email.campaigns.launch({ team, campaignId, dryRun: true }, { signal }),
    enabled: useIsMutating() === 0,
    ...LATER,
  });
