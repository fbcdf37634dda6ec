import type { AdminInput } from "../../../types/workspace.ts";
import { findCampaign } from "../../campaigns/campaign-rows.ts";
import type { Context } from "../../core/context.ts";
import { readTeam } from "../../team/team.ts";
import { withAudience } from "./audience.ts";
import { aimOf, type CountedAudience, countForEstimate, cursorFault, nextOf } from "./count.ts";
import { openedCursor, sealedCursor } from "./sealed.ts";

/** `fault`: why the cursor is refused. `next`: the next cursor. */
export type GoneOn = { counted?: CountedAudience | undefined; fault?: "other" | "invalid" | undefined; next?: string };

/** Continues a count for about 100 ms. A cursor that this Worker did not issue is refused. */
export const goOn = async (
  { sql, now }: Pick<Context, "sql" | "now">,
  input: AdminInput<"campaigns.estimate">,
  secret: string,
): Promise<GoneOn> => {
  const seal = { secret, team: readTeam(sql).slug, now };
  const found = findCampaign({ sql }, input.campaignId);
  const asked = "refusal" in found ? found : withAudience(sql, found.campaign, input.audience);
  const aim = "refusal" in asked ? undefined : aimOf(sql, asked.campaign);
  if (!aim) return {};
  const opened = input.cursor === undefined ? undefined : await openedCursor(seal, aim.of, input.cursor);
  // A cursor from another version of this Worker may have another form.
  const fault = typeof opened === "string" ? opened : cursorFault(opened?.cursor, aim.of);
  if (typeof opened === "string" || fault) return { fault };
  const counted = await countForEstimate(
    { sql, now, campaignId: input.campaignId },
    { ...input, cursor: opened?.cursor },
  );
  const next = counted && nextOf(counted);
  return { counted, ...(next ? { next: await sealedCursor(seal, counted.of, next) } : {}) };
};
