// Replaces src/email/workspace/campaigns/cancel-or-retry.ts: the same slices, with places for a kill.
import { cancelNext as cancel, retryNext as retry } from "../../../src/email/workspace/campaigns/cancel-or-retry.ts";
import { reach } from "../crash-sending/reach.ts";

export * from "../../../src/email/workspace/campaigns/cancel-or-retry.ts";

export const cancelNext: typeof cancel = (context, campaign) => {
  cancel(context, campaign);
  void reach("cancel");
};

export const retryNext: typeof retry = (context, campaign) => {
  retry(context, campaign);
  void reach("retry");
};
