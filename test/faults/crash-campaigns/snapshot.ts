// Replaces src/email/workspace/campaigns/snapshot.ts: the same slices, with a place for a kill.
import { takeSnapshot as production } from "../../../src/email/workspace/campaigns/snapshot.ts";
import { reach } from "../crash-sending/reach.ts";

export const takeSnapshot: typeof production = (context, campaign) => {
  production(context, campaign);
  // A request leaves the object only when its transaction is durable.
  void reach("snapshot");
};
