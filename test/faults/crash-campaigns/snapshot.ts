// Takes the place of src/email/workspace/campaigns/snapshot.ts: the same slices, and a place where a test kills the process.
import { takeSnapshot as production } from "../../../src/email/workspace/campaigns/snapshot.ts";
import { reach } from "../crash-sending/reach.ts";

export const takeSnapshot: typeof production = (context, campaign) => {
  production(context, campaign);
  // A request leaves the object when its transaction is durable.
  void reach("snapshot");
};
