import type { AdminInput } from "../../../types/workspace.ts";
import { findCampaign } from "../../campaigns/rows.ts";
import { withAudience } from "./audience.ts";
import { aimOf, countForEstimate, cursorFault, nextOf } from "./count.ts";
import { type Seal, sealed, unsealed } from "./sealed.ts";

/** `fault`: why the cursor is refused. `next`: the next cursor. */
export type GoneOn = Pick<AdminInput<"campaigns.estimate">, "counted" | "fault" | "next">;

/** Continues a count for about 100 ms. A cursor that this Worker did not issue is refused. */
export const goOn = async (sql: SqlStorage, input: AdminInput<"campaigns.estimate">, seal: Seal): Promise<GoneOn> => {
  const found = findCampaign({ sql }, input.campaignId);
  const asked = "refusal" in found ? found : withAudience(sql, found.campaign, input.audience);
  const aim = "refusal" in asked ? undefined : aimOf(sql, asked.campaign);
  if (!aim) return {};
  const opened = input.cursor === undefined ? undefined : await unsealed(seal, aim.of, input.cursor);
  // A cursor from another version of this Worker may have another form.
  const fault = typeof opened === "string" ? opened : cursorFault(opened?.cursor, aim.of);
  if (typeof opened === "string" || fault) return { fault };
  const counted = await countForEstimate({ sql, now: seal.now, ...input }, { ...input, cursor: opened?.cursor });
  const next = counted && nextOf(counted);
  return { counted, ...(next ? { next: await sealed(seal, counted.of, next) } : {}) };
};
