// Replaces src/email/workspace/campaigns/claim-recipients.ts: the same claims, with a place for a kill.
import { claimRecipients as production } from "../../../src/email/workspace/campaigns/claim-recipients.ts";
import { reach } from "../crash-sending/reach.ts";

export const claimRecipients: typeof production = (...given) => {
  const claimed = production(...given);
  void reach("recipients");
  return claimed;
};
