import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { askToEnd } from "../../../../../lib/contract/admin/to-end.ts";
import { api } from "../../../api/api.ts";
import { showParts } from "../../../api/queries.ts";

type Asked = Parameters<typeof api.email.campaigns.estimate>[0];
export type Audience = NonNullable<Asked["audience"]>;

const PAUSE = 250;

/** Estimates the recipients of a typed audience. `countAll` counts exactly. `of`: the audience as JSON. */
export const useEstimate = (team: string, campaignId: string, audience: Audience | undefined) => {
  const [of] = useDebouncedValue(audience && JSON.stringify(audience), PAUSE);
  const [exactOf, setExactOf] = useState<string>();
  const exact = of !== undefined && of === exactOf;
  const queryKey = ["email", team, "campaign", campaignId, "estimate", of, exact];
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => {
      const asked = { team, campaignId, exact, audience: JSON.parse(of ?? "{}") as Audience };
      const ask = (more: { cursor?: string }) => api.email.campaigns.estimate({ ...asked, ...more }, { signal });
      return exact ? askToEnd(ask, showParts(queryKey)) : ask({});
    },
    enabled: of !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  return { query, of, isCurrent: of === (audience && JSON.stringify(audience)), countAll: () => setExactOf(of) };
};
