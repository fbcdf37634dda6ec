import { dashboardContract } from "../../lib/contract/admin/dashboard.ts";
import { bridgeRoutes } from "../../lib/contract/admin/routes/bridge.ts";
import { emailRoutes } from "../../lib/contract/admin/routes/email.ts";
import { finderOf, type Match, operationsByName, type Route, routesOf } from "../../lib/contract/match.ts";
import type { Operation } from "../../lib/contract/operation.ts";
import type { Half } from "./env.ts";

const tables: Readonly<Record<Half, readonly Route[]>> = { bridge: bridgeRoutes, email: emailRoutes };

/** All operations of the dashboard and both halves, by names such as "email.keys.create". */
export const operations: ReadonlyMap<string, Operation> = operationsByName([
  ...tables.bridge,
  ...tables.email,
  ...routesOf(dashboardContract, "", "dashboard."),
]);

const finders = { bridge: finderOf(tables.bridge), email: finderOf(tables.email) };

/** Finds an operation of a half, and rebuilds its path. */
export const findRoute = (half: Half, method: string, given: string): Match | undefined => finders[half](method, given);
