import type { Refusal } from "../../../../lib/contract/errors.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import type { StoredCampaign } from "../../campaigns/campaign-rows.ts";
import { listRefusal } from "../../contacts/lists.ts";
import { checkAudience } from "../../segments/audience-check.ts";

export type Aimed = Pick<StoredCampaign, "list" | "segment" | "segmentFilter" | "filter" | "message">;

/** The audience of an estimate that replaces the campaign's audience. */
export type Audience = NonNullable<AdminInput<"campaigns.estimate">["audience"]>;

export const withAudience = (
  sql: SqlStorage,
  campaign: Aimed,
  audience: Audience | undefined,
): { campaign: Aimed } | { refusal: Refusal } => {
  if (audience === undefined) return { campaign };
  const { mailingListId: list, audienceSegmentId: segment } = audience;
  const refusal = listRefusal(sql, list);
  if (refusal) return { refusal: { ...refusal, path: "audience.mailingListId" } };
  const checked = checkAudience(sql, audience, "audience.");
  if ("refusal" in checked) return checked;
  const { audienceFilter: filter = null } = checked;
  return { campaign: { ...campaign, list, segment, segmentFilter: null, filter } };
};
