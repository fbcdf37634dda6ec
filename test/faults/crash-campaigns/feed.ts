// Takes the place of src/email/workspace/campaigns/feed.ts: the same slices, and a place where a test kills the process.
import { feedLedger as production } from "../../../src/email/workspace/campaigns/feed.ts";
import { reach } from "../crash-sending/reach.ts";

export const feedLedger: typeof production = (context, campaign, domain) => {
  production(context, campaign, domain);
  void reach("feed");
};
