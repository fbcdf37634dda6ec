import { outboxOf } from "../../env.ts";
import { shownAudit } from "../../lib/audit/entries.ts";
import { callObject } from "../../lib/util/retry-object.ts";
import type { BridgeHandlers } from "./handler.ts";

export const audit: BridgeHandlers<"audit"> = {
  list: async ({ env }, { cursor: before, ...filter }) => ({
    body: shownAudit(await callObject(() => outboxOf(env).audit({ ...filter, before }))),
  }),
};
