import type { SharedDomain } from "../../types/shared-domain.ts";
import type { Context } from "../core/context.ts";
import { recordsOf, zoneOf } from "./handlers.ts";
import { findDomain } from "./rows.ts";

/** What the link to a domain's DNS records shows; undefined for a domain that the team does not have. It reads only, and asks no DNS. */
export const viewSharedDomain = (context: Context, id: string): SharedDomain | undefined => {
  const domain = findDomain(context.sql, id);
  if (!domain) return undefined;
  const records = recordsOf(context, domain).map(({ kind: _kind, ...record }) => record);
  return { name: domain.name, checkedAt: domain.checkedAt, records, zone: zoneOf(context, domain) };
};
