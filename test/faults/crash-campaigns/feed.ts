// Replaces src/email/workspace/campaigns/feed.ts: the same slices, with a place for a kill.
import { feedLedger as production } from "../../../src/email/workspace/campaigns/feed.ts";
import { reach } from "../crash-sending/reach.ts";

export const feedLedger: typeof production = (context, campaign, domain) => {
  production(context, campaign, domain);
  void reach("feed");
};
