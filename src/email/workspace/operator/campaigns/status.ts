import type { Refusal } from "../../../../lib/contract/errors.ts";
import { mostAtOnce } from "../../../policy/campaigns/confirmed.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import { findCampaign } from "../../campaigns/campaign-rows.ts";
import type { Context } from "../../core/context.ts";
import { waveInRow } from "../../waves/wave-rows.ts";
import { shownWave } from "../waves/handlers.ts";
import { shownRetry, shownToOperator, unconfirmedOf } from "./handlers.ts";
import { waitingOf } from "./waiting.ts";

/** Returns progress and wait reasons. It reads only counters, because clients poll every second. */
export const showStatus = (
  context: Context,
  { campaignId }: AdminInput<"campaigns.status">,
): { body: unknown } | { refusal: Refusal } => {
  const found = findCampaign(context, campaignId);
  if ("refusal" in found) return found;
  const { campaign } = found;
  const wave = campaign.wave === null ? undefined : waveInRow(context.sql, campaign.wave);
  return {
    body: {
      ...shownToOperator(context, campaign),
      inLedger: campaign.counts.inLedger,
      waiting: waitingOf(context, campaign),
      confirmed: campaign.confirmed,
      maxRecipients: campaign.confirmed === null ? null : (campaign.most ?? mostAtOnce(campaign.confirmed)),
      unconfirmed: unconfirmedOf(campaign),
      wave: wave ? shownWave(context.sql, wave) : null,
      retry: shownRetry(context, campaign),
    },
  };
};
