import type { Contract } from "../operation.ts";
import { audit } from "./audit.ts";
import { about } from "./bridge/about-bridge.ts";
import { activity } from "./bridge/activity.ts";
import { backfill } from "./bridge/backfill.ts";
import { deliveries } from "./bridge/deliveries.ts";
import { dispatch } from "./bridge/dispatch.ts";
import { people } from "./bridge/people.ts";
import { refusals } from "./bridge/refusals.ts";
import { rules } from "./bridge/rules.ts";
import { sources } from "./bridge/sources.ts";
import { webhooks } from "./bridge/webhooks.ts";
import { alerts, metrics } from "./monitor.ts";

/** The bridge's operator API under `/admin`; see docs/admin-api.md. */
export const bridgeContract = {
  about,
  webhooks,
  deliveries,
  dispatch,
  people,
  refusals,
  metrics,
  alerts,
  audit,
  backfill,
  rules,
  sources,
  activity,
} as const satisfies Contract;

export type BridgeContract = typeof bridgeContract;
