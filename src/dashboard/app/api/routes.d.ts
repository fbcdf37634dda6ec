/** The contracts as tables of method and path. vite.config.ts makes them. */
declare module "virtual:routes" {
  import type { RouteTable } from "./client.ts";
  export const v1: RouteTable;
  export const email: RouteTable;
  export const bridge: RouteTable;
  export const dashboard: RouteTable;
}

/** The source of the rules by provider and name. vite.config.ts makes it. */
declare module "virtual:rules" {
  type Found = { file: string; line: number; text: string };
  const rules: Readonly<Record<string, Readonly<Record<string, Found>>>>;
  export default rules;
}
