import { useIsMutating, useQuery } from "@tanstack/react-query";
import { api } from "../../../api/api.ts";
import { LATER } from "../../../api/queries.ts";

/** Dry run of sending. Paused during an action, because the service refuses it after sending. */
export const useChecks = (team: string, campaignId: string) =>
  useQuery({
    queryKey: ["email", team, "campaign", campaignId, "checks"],
    queryFn: ({ signal }) => api.email.campaigns.send({ team, campaignId, dryRun: true }, { signal }),
    enabled: useIsMutating() === 0,
    ...LATER,
  });
