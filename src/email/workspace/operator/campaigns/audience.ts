import type { Refusal } from "../../../../lib/contract/errors.ts";
import type { AdminInput } from "../../../types/workspace.ts";
import type { StoredCampaign } from "../../campaigns/rows.ts";
import { listRefusal } from "../../contacts/lists.ts";
import { checkAudience } from "../../segments/named.ts";

/** What decides who a campaign is for. */
export type Aimed = Pick<StoredCampaign, "list" | "segment" | "segmentFilter" | "filter" | "message">;

/** An audience that is asked about, in the place of that of the campaign. */
export type Audience = NonNullable<AdminInput<"campaigns.estimate">["audience"]>;

/** A campaign with another audience than it has, or why it cannot have that one. */
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
