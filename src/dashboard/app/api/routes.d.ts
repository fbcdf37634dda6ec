/** The contracts as tables of method and path. vite.config.ts makes them. */
declare module "virtual:routes" {
  import type { RouteTable } from "./client.ts";
  export const v1: RouteTable;
  export const email: RouteTable;
  export const bridge: RouteTable;
  export const dashboard: RouteTable;
}
