import type { SharedDomain } from "../../types/shared-domain.ts";
import type { Context } from "../core/context.ts";
import { findDomain } from "./domain-rows.ts";
import { recordsOf, zoneOf } from "./handlers.ts";

/** Queries no DNS. */
export const viewSharedDomain = (context: Context, id: string): SharedDomain | undefined => {
  const domain = findDomain(context.sql, id);
  if (!domain) return undefined;
  const records = recordsOf(context, domain).map(({ kind: _kind, ...record }) => record);
  return { name: domain.name, checkedAt: domain.checkedAt, records, zone: zoneOf(context, domain) };
};
