import { type Route, routesOf } from "../../match.ts";
import { v1 } from "../../v1.ts";
import { bridgeContract } from "../bridge.ts";

/** The operations under `/admin` of the bridge, by names such as "bridge.deliveries.retry". */
export const bridgeRoutes: readonly Route[] = [
  ...routesOf(bridgeContract, "", "bridge."),
  ...routesOf(v1, "/v1", "bridge.v1."),
];
