import { bridge, dashboard, email, v1 } from "virtual:routes";
import type { BridgeContract } from "../../../lib/contract/admin/bridge.ts";
import type { DashboardContract } from "../../../lib/contract/admin/dashboard.ts";
import type { AdminContract } from "../../../lib/contract/admin/email.ts";
import type { V1 } from "../../../lib/contract/v1.ts";
import { connect } from "./client.ts";

/** All dashboard API clients. */
export const api = {
  dashboard: connect<DashboardContract>(dashboard, "/api"),
  bridge: connect<BridgeContract>(bridge, "/api/bridge"),
  email: connect<AdminContract>(email, "/api/email"),
  v1: (team: string | undefined) =>
    connect<V1>(v1, team === undefined ? "/api/bridge/v1" : `/api/email/teams/${encodeURIComponent(team)}/v1`),
};
