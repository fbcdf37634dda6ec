import { outboxOf } from "../../env.ts";
import { shownAudit } from "../../lib/audit/entries.ts";
import { bridgeRoutes } from "../../lib/contract/admin/routes/bridge.ts";
import { operationsByName } from "../../lib/contract/match.ts";
import { callObject } from "../../lib/util/retry-object.ts";
import type { BridgeHandlers } from "./handler.ts";

const operations = operationsByName(bridgeRoutes);

export const audit: BridgeHandlers<"audit"> = {
  list: async ({ env }, { cursor: before, ...filter }) => ({
    body: shownAudit(await callObject(() => outboxOf(env).audit({ ...filter, before })), operations),
  }),
};
